import { Badge, Bar, Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { useLocations } from '../../kit/places.ts'
import { ServerBadge } from '../../kit/server-state.tsx'
import { asking, to } from '../../paths.ts'
import { NewServer } from './new-server.tsx'
import type { NodeProps } from './node-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Server = Awaited<ReturnType<typeof api.listServers>>[number]

const One = ({ server, place }: { readonly server: Server; readonly place: string }) => {
  const { id, state, capacity, used_slots, protocols } = server
  return (
    <li>
      <div class="whole">
        <a href={to('/console/servers/:id', { id })}>
          {say('server', { id: `${id}` })}, {place}
        </a>{' '}
        <ServerBadge state={state} />{' '}
        {state === 'selling' && used_slots >= capacity && <Badge tone="warn">{say('full')}</Badge>}
        <div class="small">{protocols.join(', ')}</div>
        <Bar
          part={capacity === 0 ? 1 : used_slots / capacity}
          label={say('used', { used: number(used_slots), capacity: number(capacity) })}
        />
      </div>
    </li>
  )
}

/** No more fit beside the rest. */
const most = 100

/** What of the machine is sold. */
export const Servers = ({ node, of }: NodeProps) => {
  const { locations, nameOf } = useLocations()
  const { id: nodeId } = node
  const servers = useResource(`servers/on/${nodeId}`, () =>
    api.listServers({ query: { node_id: nodeId, limit: most } }),
  )
  const places = (locations.data.value ?? []).map(({ id }) => [String(id), nameOf(id)] as const)
  const changed = async () => {
    await Promise.all([servers.reload(), of.reload()])
  }
  // Servers of customers' machines are nobody else's, and not in that list.
  const known = new Set(servers.data.value?.map(({ id }) => id))
  const others = node.servers.filter(({ id }) => !known.has(id)).length
  return (
    <Card
      title={say('servers')}
      side={may('createServer') && <NewServer node={node} made={changed} places={places} />}
    >
      <Shown of={servers} lines={2}>
        {(rows) => (
          <>
            {rows.length === 0 ? (
              <p class="small">{say('noServers')}</p>
            ) : (
              <ul class="list">
                {rows.map((server) => (
                  <One key={server.id} server={server} place={nameOf(server.location_id)} />
                ))}
              </ul>
            )}
            {rows.length < most && others > 0 && (
              <p>
                <a href={to('/console/machines')}>{say('customersThere', { n: others })}</a>
              </p>
            )}
          </>
        )}
      </Shown>
      <p class="small">
        <a href={asking(to('/console/servers'), { node_id: nodeId })}>{say('allServers')}</a>
      </p>
    </Card>
  )
}
