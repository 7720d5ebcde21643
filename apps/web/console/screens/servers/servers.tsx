import { Badge, Bar } from '../../../kit/look.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { CertificateDays } from '../../kit/certificate.tsx'
import { Csv } from '../../kit/lists/csv.tsx'
import { ChosenFilter, Filters } from '../../kit/lists/filters.tsx'
import { before, List, Nothing, pageSize } from '../../kit/lists/list.tsx'
import { SavedViews } from '../../kit/lists/saved-views.tsx'
import { useLocations, useNodes } from '../../kit/places.ts'
import { ServerBadge, serverStates, serverStateTitle } from '../../kit/server-state.tsx'
import { asking, to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What is sold, machine by machine. */
const Servers = () => {
  const { query } = useLocation()
  const { locations, nameOf } = useLocations()
  const { nodes, nodeNameOf } = useNodes()
  const state = serverStates.find((one) => one === query.state)
  const filter = {
    ...(state && { state }),
    ...(query.location_id && { location_id: Number(query.location_id) }),
    ...(query.node_id && { node_id: Number(query.node_id) }),
  }
  const name = asking('servers', filter)
  const read = (cursor: string | undefined) =>
    api
      .listServers({
        query: { ...filter, limit: pageSize, ...(cursor !== undefined && { before: Number(cursor) }) },
      })
      .then(before(pageSize))
  const places = (locations.data.value ?? []).map(({ id }) => [String(id), nameOf(id)] as const)
  const machines = (nodes.data.value ?? []).map(({ id, name: title }) => [String(id), title] as const)
  return (
    <>
      <div class="list-head">
        <h1>{say('title')}</h1>
        <Csv path="/servers" query={filter} name="servers" />
      </div>
      <SavedViews />
      <Filters>
        <ChosenFilter name="location_id" label={say('location')} options={places} />
        <ChosenFilter name="node_id" label={say('node')} options={machines} />
        <ChosenFilter
          name="state"
          label={say('state')}
          unset={say('notRetired')}
          options={serverStates.map((one) => [one, serverStateTitle(one)])}
        />
      </Filters>
      <List
        key={name}
        name={name}
        read={read}
        caption={say('title')}
        keyOf={({ id }) => id}
        empty={
          <Nothing title={say('none')}>
            <a class="button" href={to('/console/nodes')}>
              {say('toNodes')}
            </a>
          </Nothing>
        }
        columns={[
          {
            title: say('server'),
            cell: ({ id, domain }) => (
              <>
                <a href={to('/console/servers/:id', { id })}>{say('one', { id: `${id}` })}</a>
                <span class="small">{domain}</span>
              </>
            ),
          },
          {
            title: say('node'),
            cell: ({ node_id }) => (
              <a href={to('/console/nodes/:id', { id: node_id })}>{nodeNameOf(node_id)}</a>
            ),
          },
          {
            title: say('location'),
            cell: ({ location_id }) => <span class="words">{nameOf(location_id)}</span>,
          },
          {
            title: say('state'),
            cell: ({ state: is, is_online }) => (
              <>
                <ServerBadge state={is} />{' '}
                {is !== 'retired' && !is_online && <Badge tone="bad">{say('away')}</Badge>}
              </>
            ),
          },
          {
            title: say('slots'),
            cell: ({ used_slots, capacity }) => (
              <Bar
                part={capacity === 0 ? 1 : used_slots / capacity}
                label={say('used', { used: number(used_slots), capacity: number(capacity) })}
              />
            ),
          },
          {
            title: say('protocols'),
            cell: ({ protocols }) => <span class="small">{protocols.join(', ')}</span>,
          },
          {
            title: say('certificate'),
            cell: ({ certificate_expires_at, state: is }) =>
              is === 'retired' ? '–' : <CertificateDays at={certificate_expires_at} />,
          },
        ]}
      />
    </>
  )
}

export default Servers
