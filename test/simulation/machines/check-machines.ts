import type { Books, OrderRow } from '../queries.ts'
import type { Park, World } from '../world.ts'

/** Machines at rest: one for every live order and none besides, and the money back for what never came. */

const daySeconds = 86_400
/** Whoever waited longer than this has the time added. */
const unpaidWaitSeconds = 3600

type Row = Books['machines'][number]

const waitOf = ({ activated_at, created_at }: Row): number => {
  const waited = (activated_at ?? created_at) - created_at
  return waited > unpaidWaitSeconds ? waited : 0
}

const neverCame = ({ state, activated_at }: Row): boolean => state === 'deleted' && activated_at === null

/** Those whose end is made of their orders alone. What never came ended when it was given up, whenever its money was back. */
export const withoutWait = ({ machines }: Books): Row[] =>
  machines.filter((row) => waitOf(row) === 0 && !neverCame(row))

const checkPlace = (park: Park, row: Row): string[] => {
  const there = park.present(row.order_id).map(({ id, state }) => `${id} ${state}`)
  const state = row.state === 'active' ? 'running' : 'off'
  const isRented = row.state !== 'deleted' && row.kind !== 'local'
  const expected = isRented ? [`${row.ref} ${state}`] : []
  const isSame = JSON.stringify(there) === JSON.stringify(expected)
  const isKept =
    (row.gone_at !== null) === (row.state === 'deleted') && (row.gone_at === null || !row.node_id)
  return isSame && isKept ? [] : [`machine ${row.id} has ${there}, not ${expected}: ${JSON.stringify(row)}`]
}

/** What never came was given back, all of it; what came was given back only by the operator or by the bank. */
const checkMoney = (
  { refunds }: Books,
  deleted: ReadonlySet<number>,
  row: Row,
  orders: OrderRow[],
): string[] => {
  if (deleted.has(row.user_id)) return []
  const kept = orders.filter(({ state }) => state === 'fulfilled')
  if (neverCame(row)) {
    return kept.map(({ id }) => `order ${id} was paid for a machine that never came`)
  }
  const meant = refunds.filter((one) => one.operator_id !== null || one.destination === 'source')
  const byOthers = new Set(meant.map((one) => one.order_id))
  const back = orders.filter(({ id, state }) => state === 'refunded' && !byOthers.has(id))
  return row.activated_at === null ? [] : back.map(({ id }) => `order ${id} was given back without a reason`)
}

/** Bought once, and waited for: the days begin when it came. */
const checkWait = (row: Row, orders: readonly OrderRow[], { days }: Books): string[] => {
  const [order] = orders
  const waited = waitOf(row)
  if (waited === 0 || orders.length !== 1 || order?.state !== 'fulfilled') return []
  if (days.some(({ product, item_id }) => product === 'cloud_servers' && item_id === row.id)) return []
  const end = (order.fulfilled_at ?? 0) + order.days * daySeconds + waited
  return end === row.expires_at ? [] : [`machine ${row.id} ends at ${row.expires_at}, not ${end}`]
}

export const checkMachines = (world: World, books: Books): string[] => {
  const park = world.machines as Park
  const deleted = new Set(world.journal.deletions.keys())
  const bought = books.orders.filter(
    ({ product, fulfilled_at }) => product === 'cloud_servers' && fulfilled_at !== null,
  )
  const byItem = Map.groupBy(bought, ({ item_id }) => item_id)
  const strangers =
    park.present().length -
    books.machines.filter(({ state, kind }) => {
      return state !== 'deleted' && kind !== 'local'
    }).length
  return [
    ...(strangers === 0 ? [] : [`${strangers} machines too many at the providers`]),
    ...books.machines.flatMap((row) => {
      const orders = byItem.get(row.id) ?? []
      return [
        ...checkPlace(park, row),
        ...checkMoney(books, deleted, row, orders),
        ...checkWait(row, orders, books),
      ]
    }),
  ]
}
