import type { Size } from './calendar.ts'
import type { Books } from './queries.ts'
import type { World } from './world.ts'

/** The year in one line. */

const gigabyte = 1e9

const countBy = <T>(rows: readonly T[], nameOf: (row: T) => string): string => {
  const groups = [...Map.groupBy(rows, nameOf)].map(([name, group]) => `${name} ${group.length}`)
  return groups.sort().join(', ') || 'none'
}

export const summaryOf = (world: World, { customers, days }: Size, books: Books): string => {
  const { orders, configs, machines, receipts, refunds, commissions, withdrawals, alerts } = books
  const { tally } = world
  const renewals = orders.filter((order) => order.is_renewal && order.fulfilled_at !== null)
  const automatic = renewals.filter((order) => order.period_end !== null).length
  const ofOptions = orders.filter((order) => order.product === 'paid_options' && order.fulfilled_at !== null)
  const extended = ofOptions.filter((order) => order.is_renewal).length
  const keys = ofOptions.filter((order) => order.as_key).length
  const refunded = ofOptions.filter((order) => order.state === 'refunded').length
  const parts = [
    `seed ${world.seed}: ${customers} customers, ${days} days, ${tally.get('calls')} calls, ${tally.get('webhooks')} webhooks`,
    `${orders.length} orders (${countBy(orders, ({ state }) => state)})`,
    `configurations ${countBy(configs, ({ state }) => state)}`,
    `options bought ${ofOptions.length - extended - keys}, extended ${extended}, keys ${keys}, refunded ${refunded}, ${tally.list('options ')}`,
    `machines ${countBy(machines, ({ state, activated_at }) => `${state}${activated_at === null ? ' undelivered' : ''}`)}, ${world.machines?.made} made, ${tally.list('machines ')}, faults ${tally.list('cloud ')}`,
    `metered ${Math.round(tally.get('metered bytes') / gigabyte)} GB in ${tally.get('reports')} reports, accounts ${tally.list('accounts ')}`,
    `payments ${tally.list('payment ')}`,
    `${receipts.length} receipts (${countBy(receipts, ({ verdict }) => verdict)})`,
    `refunds ${countBy(refunds, ({ destination, state }) => `${destination} ${state}`)}, ${tally.get('refund by the provider')} by the provider`,
    `renewals ${automatic} automatic, ${renewals.length - automatic} by hand`,
    `promocodes ${tally.list('promocodes ')}, gifts ${tally.list('gifts ')}`,
    `${commissions.length} commissions (${countBy(commissions, ({ state }) => state)})`,
    `${withdrawals.length} withdrawals (${countBy(withdrawals, ({ status }) => status)})`,
    `faults ${tally.list('fault ')}, ${tally.get('outages')} outages, ${tally.get('repeats')} repeats`,
    `alerts ${countBy(alerts, ({ kind }) => kind)}`,
  ]
  return parts.join('; ')
}
