import { Badge } from '../../../kit/look.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { may } from '../../frame/me.ts'
import type { Column } from '../../kit/lists/table.tsx'
import { Person } from '../../kit/person.tsx'
import { asking, to } from '../../paths.ts'
import { type Machine, stateOf, told } from './machine.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const tones = {
  ordered: 'warn',
  purchased: 'warn',
  active: 'good',
  off: 'dim',
  leaving: 'dim',
  gone: 'dim',
} as const

const State = ({ row }: { readonly row: Machine }) => {
  const state = stateOf(row)
  const problem = row.problem === null ? undefined : told(row.problem)
  return (
    <>
      <Badge tone={tones[state]}>{say(`is_${state}`)}</Badge>
      {problem && (
        <span class="small bad" lang={problem.lang}>
          {problem.text}
        </span>
      )}
      {row.next_step_at !== null && row.gone_at === null && (
        <span class="small">{say('nextStep', { at: dateTime(row.next_step_at) })}</span>
      )}
      {row.attempt > 1 && <span class="small">{say('attempts', { n: row.attempt })}</span>}
    </>
  )
}

const Where = ({ row }: { readonly row: Machine }) => {
  const { cloud, cloud_id, region, machine_type, ref } = row
  const title = cloud ?? say('searching')
  return (
    <>
      {cloud_id !== null && may('listClouds') ? (
        <a href={asking(to('/console/clouds'), { id: cloud_id })}>{title}</a>
      ) : (
        title
      )}
      <span class="small">{[region, machine_type].filter(Boolean).join(' · ')}</span>
      {ref !== null && ref !== row.address && <span class="small">{say('ref', { ref })}</span>}
    </>
  )
}

const Address = ({ row: { address, hostname, node_id } }: { readonly row: Machine }) => (
  <>
    {address ?? '–'}
    {hostname !== null && <span class="small">{hostname}</span>}
    {node_id !== null && may('showNode') && (
      <a class="small" href={to('/console/nodes/:id', { id: node_id })}>
        {say('node', { id: `${node_id}` })}
      </a>
    )}
  </>
)

export const columnsIn = (nameOf: (id: number | null) => string): readonly Column<Machine>[] => [
  {
    title: say('machine'),
    cell: ({ id, name, location_id }) => (
      <>
        <a href={asking(to('/console/machines'), { id })}>{say('one', { id: `${id}` })}</a>
        <span class="small">{name}</span>
        <span class="small words">{nameOf(location_id)}</span>
      </>
    ),
  },
  {
    title: say('customer'),
    cell: ({ user_id, order_id }) => (
      <>
        <Person id={user_id} />
        {may('showOrder') && (
          <a class="small" href={to('/console/orders/:id', { id: order_id })}>
            {say('order', { id: `${order_id}` })}
          </a>
        )}
      </>
    ),
  },
  { title: say('state'), cell: (row) => <State row={row} /> },
  { title: say('where'), cell: (row) => <Where row={row} /> },
  { title: say('address'), cell: (row) => <Address row={row} /> },
  {
    title: say('time'),
    cell: ({ created_at, activated_at, gone_at }) => (
      <>
        {dateTime(created_at)}
        {activated_at !== null && (
          <span class="small">{say('worksSince', { at: dateTime(activated_at) })}</span>
        )}
        {gone_at !== null && <span class="small">{say('goneSince', { at: dateTime(gone_at) })}</span>}
      </>
    ),
  },
]
