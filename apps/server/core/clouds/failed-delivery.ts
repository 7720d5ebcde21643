import { inTransaction } from '../../db/client.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import { listOrdersOf, lockOrder } from '../sales/orders.ts'
import { refundUndelivered } from '../settlement/undelivered.ts'
import { deleteTerms } from '../terms/expiry.ts'
import { termProductOf } from '../terms/term-product.ts'
import { lockTermOfItem, updateTerm } from '../terms/terms.ts'
import { tellFailed } from './machine-notices.ts'
import type { StepContext } from './machine-step-context.ts'
import { lockMachine } from './machines.ts'

/**
 * Nobody has the machine that was ordered: everything that was paid for it goes back, and what may have been made of it goes.
 * The orders are locked before the term, as every refund locks them.
 */
export const failDelivery = (context: StepContext, reason: string): Promise<void> => {
  const { at, machine, now } = context
  const item = { product: 'cloud_servers', itemId: machine.id } as const
  return inTransaction(at.db, async (tx) => {
    const orders = []
    const listed = await listOrdersOf(tx, item)
    for (const id of listed) orders.push(await lockOrder(tx, id))
    const term = await lockTermOfItem(tx, item)
    const row = await lockMachine(tx, machine.id)
    if (!term || row?.turn !== machine.turn) return
    // It was renewed while this waited: the next look sees that order too.
    if ((await listOrdersOf(tx, item)).length !== listed.length) return
    const parts = { ...at, now }
    await tellFailed(tx, row, term.user_id, now)
    const details = { cloud_server: row.id, order_id: row.order_id, reason }
    await raiseAlert(tx, { kind: 'machine_failed', subject: `machine:${row.id}`, details, now })
    await updateTerm(tx, term.id, { expires_at: Math.min(term.expires_at, now) })
    await deleteTerms(tx, parts, termProductOf(at.products, 'cloud_servers'), [term])
    for (const order of orders) if (order) await refundUndelivered(tx, parts, order, reason, term.user_id)
  })
}
