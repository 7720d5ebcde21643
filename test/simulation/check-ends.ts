import type { Books, OrderRow } from './queries.ts'

/** Until when each configuration lasts, walked through again from what was granted and taken back. */

const daySeconds = 86_400

interface Step {
  readonly at: number
  readonly order: OrderRow
  readonly isTaken: boolean
}

const stepsOf = (orders: readonly OrderRow[]): Step[] =>
  orders
    .flatMap((order): Step[] => {
      if (order.fulfilled_at === null) return []
      const granted = { at: order.fulfilled_at, order, isTaken: false }
      return order.refunded_at === null
        ? [granted]
        : [granted, { at: order.refunded_at, order, isTaken: true }]
    })
    .sort((one, other) => one.at - other.at)

/** The end after these orders alone. */
const endAfter = (orders: ReadonlySet<OrderRow>): number => {
  let end = 0
  for (const { fulfilled_at, days } of orders) end = Math.max(fulfilled_at ?? 0, end) + days * daySeconds
  return end
}

const endOf = (steps: readonly Step[]): number => {
  const standing = new Set<OrderRow>()
  let end = 0
  for (const { at, order, isTaken } of steps) {
    if (!isTaken) {
      standing.add(order)
      end = Math.max(at, end) + order.days * daySeconds
      continue
    }
    standing.delete(order)
    // What the other orders gave stays, and nothing ends before now.
    end = Math.min(end, Math.max(at, endAfter(standing)))
  }
  return end
}

export const checkEnds = ({ orders, configs }: Books): string[] => {
  const ofConfigs = orders.filter(({ product }) => product === 'configs')
  const byConfig = Map.groupBy(ofConfigs, ({ item_id }) => item_id)
  return configs.flatMap(({ id, expires_at }) => {
    const steps = stepsOf(byConfig.get(id) ?? [])
    const end = endOf(steps)
    if (end === expires_at) return []
    const shown = steps.map(({ at, order, isTaken }) => `${at} ${isTaken ? '-' : '+'}${order.days}`)
    return [`configuration ${id} ends at ${expires_at}, not ${end}: ${shown.join(', ')}`]
  })
}
