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

const endOf = (steps: readonly Step[]): number => {
  let end = 0
  for (const { at, order, isTaken } of steps) {
    const seconds = order.days * daySeconds
    if (!isTaken) end = Math.max(at, end) + seconds
    // What had ended before gives nothing back.
    else if (end > at) end = Math.max(at, end - seconds)
  }
  return end
}

export const checkEnds = ({ orders, configs }: Books): string[] => {
  const byConfig = Map.groupBy(orders, ({ config_id }) => config_id)
  return configs.flatMap(({ id, expires_at }) => {
    const steps = stepsOf(byConfig.get(id) ?? [])
    const end = endOf(steps)
    if (end === expires_at) return []
    const shown = steps.map(({ at, order, isTaken }) => `${at} ${isTaken ? '-' : '+'}${order.days}`)
    return [`configuration ${id} ends at ${expires_at}, not ${end}: ${shown.join(', ')}`]
  })
}
