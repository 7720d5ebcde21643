import type { CloudServer } from '@sallyport/contract/customer/cloud-servers/shapes'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { usePolling } from '../../../lib/polling.ts'
import { type Resource, useResource } from '../../../lib/resource.ts'
import { Loaded, Opening } from '../../access/opening.tsx'
import { Ended, isEnded } from '../../access/term.tsx'
import { Name } from '../../access/title.tsx'
import { useCloudPlace } from '../../owned/place.ts'
import { to } from '../../paths.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { Configs } from './configs/configs.tsx'
import { graceDays, State } from './state.tsx'
import { Steps } from './steps.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** How often to ask while the machine is on its way. */
const everySeconds = 5

interface OneProps {
  readonly cloud: CloudServer
  readonly of: Resource<CloudServer[]>
}

const Active = ({ cloud }: OneProps) => {
  const { id } = cloud
  const name = `cloud-server/${id}`
  const stats = () => api.showCloudServerStats({ params: { id } })
  return (
    <>
      <Configs cloud={cloud} />
      <section class="card folds">
        <Opening title={say('proxies')}>
          {() => <Loaded load={() => import('./proxies/proxies.tsx')} props={{ serverId: id }} />}
        </Opening>
        <Opening title={say('stats')}>
          {() => (
            <Loaded
              load={async () => ({ default: (await import('../../access/stats/stats.tsx')).Statistics })}
              props={{ name, read: stats }}
            />
          )}
        </Opening>
      </section>
    </>
  )
}

const One = ({ cloud, of }: OneProps) => {
  const { id, status, expires_at: expiresAt } = cloud
  const { name } = useCloudPlace(cloud)
  const hasEnded = isEnded(expiresAt)
  usePolling(of.reload, everySeconds, status === 'active' || hasEnded)
  const set = (changed: CloudServer) =>
    of.set((of.data.value ?? []).map((one) => (one.id === changed.id ? changed : one)))
  return (
    <>
      <Name>{name}</Name>
      {hasEnded ? (
        <>
          <Ended expiresAt={expiresAt} graceDays={graceDays} renewAt={to('/clouds/:id/renew', { id })} />
          <p>{say('endedText')}</p>
        </>
      ) : (
        <>
          {status !== 'active' && <Steps status={status} />}
          <State cloud={cloud} onChanged={set} reload={of.reload} />
          {status === 'active' && <Active cloud={cloud} of={of} />}
        </>
      )}
    </>
  )
}

export default function Cloud({ params }: ScreenProps) {
  const id = Number(params.id)
  const clouds = useResource('clouds', () => api.listCloudServers(), { keep: true })
  return (
    <Shown of={clouds} heading={say('title')}>
      {(all) => {
        const cloud = all.find((one) => one.id === id)
        return cloud ? (
          <One cloud={cloud} of={clouds} />
        ) : (
          <>
            <h1>{say('title')}</h1>
            <Empty title={say('missing')}>
              <a class="button p" href={to('/shop/cloud')}>
                {say('buy')}
              </a>
            </Empty>
          </>
        )
      }}
    </Shown>
  )
}
