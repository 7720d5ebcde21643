import { inTransaction } from '../../db/client.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import { holdOrder, listOrdersOf } from '../sales/orders.ts'
import { refundUndelivered } from '../settlement/undelivered.ts'
import { deleteTerms } from '../terms/expiry.ts'
import { termProductOf } from '../terms/term-product.ts'
import { holdTermOfItem } from '../terms/terms.ts'
import { holdMachine } from './machines.ts'
import { tellFailed } from './notices.ts'
import type { Visit } from './visit.ts'

/**
 * Nobody has the machine that was ordered: everything that was paid for it goes back, and what may have been made of it goes.
 * The orders are held before the term, as every refund holds them.
 */
export const failDelivery = (visit: Visit, reason: string): Promise<void> => {
  const { at, machine, now } = visit
  const item = { product: 'cloud_servers', itemId: machine.id } as const
  return inTransaction(at.db, async (tx) => {
    const orders = []
    for (const id of await listOrdersOf(tx, item)) orders.push(await holdOrder(tx, id))
    const term = await holdTermOfItem(tx, item)
    const row = await holdMachine(tx, machine.id)
    if (!term || row?.turn !== machine.turn) return
    const parts = { ...at, now }
    await tellFailed(tx, row, term.user_id, now)
    for (const order of orders) if (order) await refundUndelivered(tx, parts, order, reason)
    const details = { cloud_server: row.id, order_id: row.order_id, reason }
    await raiseAlert(tx, { kind: 'machine_failed', subject: `machine:${row.id}`, details, now })
    await deleteTerms(tx, parts, termProductOf(at.products, 'cloud_servers'), [term])
  })
}
