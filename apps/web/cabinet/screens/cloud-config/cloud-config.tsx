import type { CloudServer, CloudConfig as Config } from '@sallyport/contract/customer/cloud-servers/shapes'
import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { api, SallyportError } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { forgetRead, type Resource, useResource } from '../../../lib/resource.ts'
import { together } from '../../../lib/together.ts'
import { Connect } from '../../access/connect.tsx'
import { cloudAccess } from '../../access/owners/cloud.ts'
import { Parts } from '../../access/parts.tsx'
import { Online } from '../../access/state.tsx'
import { Ended, isEnded, leftText } from '../../access/term.tsx'
import { Title } from '../../access/title.tsx'
import { words as accessWords } from '../../access/words.en.ts'
import { useCloudPlace } from '../../owned/place.ts'
import { protocolName } from '../../owned/protocol-names.ts'
import { to } from '../../paths.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
const sayAccess = sayIn(accessWords)
const graceDays = 3

interface OneProps {
  readonly cloud: CloudServer
  readonly config: Config
  readonly of: Resource<Config[]>
}

const One = ({ cloud, config, of }: OneProps) => {
  const { name: server } = useCloudPlace(cloud)
  const usualName = `${protocolName(config.protocol)} · ${config.id}`
  const { id, expires_at: expiresAt } = cloud
  const access = cloudAccess(cloud, config, usualName, {
    set: (changed) => {
      of.set((of.data.value ?? []).map((one) => (one.id === changed.id ? changed : one)))
      forgetRead('bridge-ends')
    },
    reload: of.reload,
  })
  return (
    <>
      <Title title={config.title} usualName={usualName} rename={access.rename} />
      {isEnded(expiresAt) ? (
        <Ended expiresAt={expiresAt} graceDays={graceDays} renewAt={to('/clouds/:id/renew', { id })} />
      ) : (
        <>
          <Card>
            <Facts
              rows={[
                [sayAccess('state'), <Online key="state" isOnline={cloud.is_online} />],
                ...(server === undefined ? [] : ([[say('server'), server]] as const)),
                [sayAccess('protocol'), protocolName(config.protocol)],
                [sayAccess('until'), leftText(expiresAt)],
              ]}
            />
            {cloud.is_online === false && (
              <p class="notice">
                {say('offlineText')} <a href={to('/clouds/:id', { id })}>{say('restart')}</a>
              </p>
            )}
          </Card>
          <Connect access={access} />
          <Parts access={access} />
        </>
      )}
    </>
  )
}

/** The server itself is not theirs, or not there any more. */
const isAbsent = (error: unknown): boolean => error instanceof SallyportError && error.statusCode === 404

const Missing = ({ cloud, id }: { readonly cloud: CloudServer | undefined; readonly id: number }) => (
  <>
    <h1>{say('title')}</h1>
    <Empty title={say(cloud && cloud.status !== 'active' ? 'preparing' : 'missing')}>
      <a class="button p" href={to('/clouds/:id', { id })}>
        {say('toServer')}
      </a>
    </Empty>
  </>
)

export default function CloudConfig({ params }: ScreenProps) {
  const [id, configId] = [Number(params.id), Number(params.configId)]
  const clouds = useResource('clouds', () => api.listCloudServers(), { keep: true })
  const configs = useResource(
    `cloud-configs/${id}`,
    () => api.listCloudConfigs({ params: { server_id: id } }),
    { keep: true },
  )
  const both = together(clouds, configs)
  if (isAbsent(configs.error.value)) return <Missing cloud={undefined} id={id} />
  return (
    <>
      <a class="back" href={to('/clouds/:id', { id })}>
        {say('back')}
      </a>
      <Shown of={both} heading={say('title')}>
        {([servers, all]) => {
          const cloud = servers.find((one) => one.id === id)
          const config = all.find((one) => one.id === configId)
          return cloud && config ? (
            <One cloud={cloud} config={config} of={configs} />
          ) : (
            <Missing cloud={cloud} id={id} />
          )
        }}
      </Shown>
    </>
  )
}
