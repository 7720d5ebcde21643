import { behindBy, isOld } from '@sallyport/domain/vpn/node-kinds'
import { Badge, Bar } from '../../../kit/look.tsx'
import { dateTime, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import type { Column } from '../../kit/lists/table.tsx'
import { to } from '../../paths.ts'
import type { Node } from './node.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface CellProps {
  readonly row: Node
}

/** Of the machine: what it should carry, and what it does. */
const Applied = ({ row }: CellProps) => {
  if (row.apply_error !== null)
    return (
      <>
        <Badge tone="bad">{say('notApplied')}</Badge>
        <span class="small bad" lang="en">
          {row.apply_error}
        </span>
      </>
    )
  const behind = behindBy(row)
  return behind > 0 ? (
    <Badge tone="warn">{say('behind', { n: behind })}</Badge>
  ) : (
    <Badge tone="good">{say('applied')}</Badge>
  )
}

const Engines = ({ row }: CellProps) => (
  <>
    {row.engines.length === 0 && '–'}
    {row.engines.map(({ name, state, version, detail }) => (
      <span key={name} class={state === 'running' ? 'small' : 'small bad'}>
        {[name, version, state !== 'running' && state, detail].filter(Boolean).join(' ')}
      </span>
    ))}
  </>
)

const State = ({ row: { is_online, last_seen_at } }: CellProps) => {
  if (is_online) return <Badge tone="good">{say('online')}</Badge>
  if (last_seen_at === null) return <Badge tone="dim">{say('never')}</Badge>
  return (
    <>
      <Badge tone="bad">{say('away')}</Badge>
      <span class="small">{say('awaySince', { at: dateTime(last_seen_at) })}</span>
    </>
  )
}

const Slots = ({ row: { servers } }: CellProps) => {
  const used = servers.reduce((sum, server) => sum + server.used_slots, 0)
  const capacity = servers.reduce((sum, server) => sum + server.capacity, 0)
  if (servers.length === 0) return <span class="small">{say('noServers')}</span>
  return (
    <Bar
      part={capacity === 0 ? 1 : used / capacity}
      label={say('used', { used: number(used), capacity: number(capacity) })}
    />
  )
}

const Agent = ({ row }: CellProps) => (
  <>
    {row.release?.slice(0, 8) ?? '–'}
    {isOld(row) && (
      <span class="small">
        {row.can_upgrade ? <a href={to('/console/upgrades')}>{say('older')}</a> : say('olderByHand')}
      </span>
    )}
  </>
)

export const columns: readonly Column<Node>[] = [
  {
    title: say('name'),
    cell: ({ id, name, address }) => (
      <>
        <a href={to('/console/nodes/:id', { id })}>{name}</a>
        <span class="small">{address}</span>
      </>
    ),
  },
  { title: say('state'), cell: (row) => <State row={row} /> },
  { title: say('config'), cell: (row) => <Applied row={row} /> },
  { title: say('engines'), cell: (row) => <Engines row={row} /> },
  { title: say('slots'), cell: (row) => <Slots row={row} /> },
  { title: say('agent'), cell: (row) => <Agent row={row} /> },
]
