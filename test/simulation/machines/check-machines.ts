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

/** Those that vanished at their providers, once or more often. */
const lostOf = ({ alerts }: Books): ReadonlySet<number> =>
  new Set(
    alerts.filter(({ kind }) => kind === 'machine_lost').map(({ subject }) => Number(subject.split(':')[1])),
  )

/** Those whose end is made of their orders alone. */
export const withoutWait = (books: Books): Row[] => {
  const lost = lostOf(books)
  return books.machines.filter((row) => waitOf(row) === 0 && !lost.has(row.id))
}

/** Nobody looks for one that vanished and has ended, before it is renewed. */
const isRentedNow = (lost: ReadonlySet<number>, { id, state, kind, ref }: Row): boolean =>
  state !== 'deleted' && kind !== 'local' && !(state === 'expired' && ref === null && lost.has(id))

const checkPlace = (park: Park, lost: ReadonlySet<number>, row: Row): string[] => {
  const there = park.present(row.order_id).map(({ id, state }) => `${id} ${state}`)
  const state = row.state === 'active' ? 'running' : 'off'
  const expected = isRentedNow(lost, row) ? [`${row.ref} ${state}`] : []
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
  if (row.state === 'deleted' && row.activated_at === null) {
    return kept.map(({ id }) => `order ${id} was paid for a machine that never came`)
  }
  const meant = refunds.filter((one) => one.operator_id !== null || one.destination === 'source')
  const byOthers = new Set(meant.map((one) => one.order_id))
  const back = orders.filter(({ id, state }) => state === 'refunded' && !byOthers.has(id))
  return row.activated_at === null ? [] : back.map(({ id }) => `order ${id} was given back without a reason`)
}

/** Bought once, and waited for: the days begin when it came, and none is lost with the machine. */
const checkWait = (lost: ReadonlySet<number>, row: Row, orders: readonly OrderRow[]): string[] => {
  const [order] = orders
  const waited = waitOf(row)
  const wasLost = lost.has(row.id)
  if ((waited === 0 && !wasLost) || orders.length !== 1 || order?.state !== 'fulfilled') return []
  const end = (order.fulfilled_at ?? 0) + order.days * daySeconds + waited
  const isRight = wasLost ? row.expires_at >= end : row.expires_at === end
  return isRight ? [] : [`machine ${row.id} ends at ${row.expires_at}, not ${end}`]
}

export const checkMachines = (world: World, books: Books): string[] => {
  const park = world.machines as Park
  const deleted = new Set(world.journal.deletions.keys())
  const bought = books.orders.filter(
    ({ product, fulfilled_at }) => product === 'cloud_servers' && fulfilled_at !== null,
  )
  const byItem = Map.groupBy(bought, ({ item_id }) => item_id)
  const lost = lostOf(books)
  const strangers = park.present().length - books.machines.filter((row) => isRentedNow(lost, row)).length
  return [
    ...(strangers === 0 ? [] : [`${strangers} machines too many at the providers`]),
    ...books.machines.flatMap((row) => {
      const orders = byItem.get(row.id) ?? []
      return [
        ...checkPlace(park, lost, row),
        ...checkMoney(books, deleted, row, orders),
        ...checkWait(lost, row, orders),
      ]
    }),
  ]
}
