import { Bar } from '../../../kit/look.tsx'
import { dateTime, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { usePolling } from '../../../lib/polling.ts'
import { resource } from '../../../lib/resource.ts'
import { route, useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { before, List, Nothing, pageSize, useList } from '../../kit/lists/list.tsx'
import type { Column } from '../../kit/lists/table.tsx'
import { asking, to } from '../../paths.ts'
import { Begin } from './begin.tsx'
import { goalOf, isMoving, overIn, UpgradeBadge } from './state.tsx'
import { UpgradeCard } from './upgrade.tsx'
import type { ListedUpgrade, UpgradeRow } from './upgrade-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const path = to('/console/upgrades')

const read = (cursor: string | undefined) =>
  api
    .listAgentUpgrades({
      query: { limit: pageSize, ...(cursor !== undefined && { before: Number(cursor) }) },
    })
    .then(before<ListedUpgrade>(pageSize))

const columns: readonly Column<ListedUpgrade>[] = [
  {
    title: say('upgrade'),
    cell: (row) => (
      <>
        <a href={asking(path, { id: row.id })}>{say('one', { id: `${row.id}` })}</a>
        <span class="small">{goalOf(row)}</span>
      </>
    ),
  },
  { title: say('state'), cell: ({ state }) => <UpgradeBadge state={state} /> },
  {
    title: say('progress'),
    cell: ({ waves }) => {
      const nodes = waves.reduce((sum, wave) => sum + wave.nodes, 0)
      const over = waves.reduce((sum, wave) => sum + overIn(wave), 0)
      const ill = waves.reduce((sum, wave) => sum + wave.ill, 0)
      return (
        <>
          <Bar
            part={nodes === 0 ? 1 : over / nodes}
            label={say('over', { over: number(over), nodes: number(nodes) })}
            tone={ill > 0 ? 'bad' : 'good'}
          />
          {ill > 0 && <span class="small bad">{say('soManyIll', { n: ill })}</span>}
        </>
      )
    },
  },
  { title: say('began'), cell: ({ created_at }) => dateTime(created_at) },
  { title: say('ended'), cell: ({ ended_at }) => (ended_at === null ? '–' : dateTime(ended_at)) },
]

/** Agents that are brought to the newest release without anybody at their machines. */
const Upgrades = () => {
  const { query } = useLocation()
  const list = useList({ name: 'upgrades', read })
  const newest = list.data.value?.items[0]
  usePolling(list.reload, 10, newest !== undefined && !isMoving(newest))
  const id = Number(query.id) || newest?.id
  const changed = async (upgrade: UpgradeRow) => {
    resource(`upgrade/${upgrade.id}`, () => api.showAgentUpgrade({ params: { id: upgrade.id } })).set(upgrade)
    await list.reload()
    if (upgrade.id !== id) route(path)
  }
  return (
    <>
      <div class="head">
        <h1>{say('title')}</h1>
        {may('createAgentUpgrade') && <Begin begun={changed} />}
      </div>
      {id !== undefined && may('showAgentUpgrade') && (
        <UpgradeCard key={id} id={id} isNewest={id === newest?.id} changed={changed} />
      )}
      <List
        name="upgrades"
        read={read}
        caption={say('all')}
        columns={columns}
        keyOf={({ id: one }) => one}
        empty={
          <Nothing title={say('none')}>
            <p class="small">{say('noneHint')}</p>
          </Nothing>
        }
      />
    </>
  )
}

export default Upgrades
