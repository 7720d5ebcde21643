import { Facts } from '../../../kit/fold.tsx'
import { Badge, Bar, Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { date, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { usePolling } from '../../../lib/polling.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { useLocations, useNodes } from '../../kit/places.ts'
import { ServerBadge } from '../../kit/server-state.tsx'
import { asking, to } from '../../paths.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { Acts } from './acts.tsx'
import { CertificateCard } from './certificate.tsx'
import { DrainCard } from './drain.tsx'
import { Offers } from './offers.tsx'
import type { ServerProps, ServerRow } from './server-props.ts'
import { Settings } from './settings.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const portsOf = ({ protocols, ports }: ServerRow): string =>
  protocols.map((name) => (ports[name] === undefined ? name : `${name}\u00a0:${ports[name]}`)).join(', ')

const About = ({ server }: Pick<ServerProps, 'server'>) => {
  const { nameOf } = useLocations()
  const { nodeNameOf } = useNodes()
  const { capacity, used_slots, node_id, location_id, retired_at } = server
  return (
    <Card title={say('about')}>
      <Facts
        rows={[
          [
            say('node'),
            <a key="node" href={to('/console/nodes/:id', { id: node_id })}>
              {nodeNameOf(node_id)}
            </a>,
          ],
          [
            say('location'),
            <a key="location" href={asking(to('/console/servers'), { location_id })}>
              {nameOf(location_id)}
            </a>,
          ],
          [
            say('slots'),
            <Bar
              key="slots"
              part={capacity === 0 ? 1 : used_slots / capacity}
              label={say('used', { used: number(used_slots), capacity: number(capacity) })}
            />,
          ],
          [say('protocols'), portsOf(server)],
          [say('since'), date(server.created_at)],
          ...(retired_at === null ? [] : [[say('retiredAt'), date(retired_at)] as const]),
        ]}
      />
    </Card>
  )
}

const ServerPage = ({ params }: ScreenProps) => {
  const id = Number(params.id)
  const server = useResource(`server/${id}`, () => api.showServer({ params: { id } }))
  usePolling(server.reload, 15, false)
  return (
    <Shown of={server} lines={6} heading={say('title', { id: `${id}` })}>
      {(data) => (
        <>
          <div class="head">
            <div>
              <h1>{say('title', { id: `${id}` })}</h1>
              <ServerBadge state={data.state} />{' '}
              {data.state !== 'retired' && !data.is_online && <Badge tone="bad">{say('away')}</Badge>}
            </div>
            <Acts server={data} of={server} />
          </div>
          <div class="columns">
            <div class="stack">
              <About server={data} />
              {may('showDrain') && data.state !== 'retired' && <DrainCard server={data} of={server} />}
              {data.state !== 'retired' && <CertificateCard server={data} of={server} />}
            </div>
            {may('changeServer') && data.state !== 'retired' && (
              <div class="stack">
                <Settings server={data} of={server} />
                <Offers server={data} of={server} />
              </div>
            )}
          </div>
        </>
      )}
    </Shown>
  )
}

export default ServerPage
