import { badRequest } from '@sallyport/contract/errors'
import type { grantRows } from '@sallyport/contract/operator/people/grants'
import type { Handlers } from '../../../../core/call.ts'
import { machineJob } from '../../../../core/clouds/machine-job.ts'
import { audited } from '../../../../core/kernel/audit.ts'
import { notify } from '../../../../core/kernel/notifications.ts'
import { give } from '../../../../core/sales/checkout.ts'
import { productOf, type Words } from '../../../../core/sales/products.ts'
import { lockTermOfItem, type Term } from '../../../../core/terms/terms.ts'
import type { Db } from '../../../../db/client.ts'
import { requireCustomer } from '../../common/queries.ts'

const tell = (tx: Db, order: { readonly id: number; readonly userId: number }, what: Words, now: number) =>
  notify(tx, {
    userId: order.userId,
    cause: `order:${order.id}:gift`,
    ru: `Подарок от поддержки: ${what.ru}.`,
    en: `A gift from support: ${what.en}.`,
    now,
  })

export const grantHandlers: Handlers<typeof grantRows> = {
  grantProduct: (call) => {
    const { params, body, products, kick, now } = call
    const { product_type: name, days, reason, ...wish } = body
    const product = productOf(products, name)
    if (!product.gift) throw badRequest('product_type', 'is never given away')
    const { gift } = product
    const userId = params.id
    return async (tx) => {
      await requireCustomer(tx, userId)
      const order = await gift(tx, { ...wish, userId })
      const basket = { ...order, userId, product: name, asKey: false }
      const { orderId, itemId } = await give(tx, call, basket, days)
      const term = (await lockTermOfItem(tx, { product: name, itemId })) as Term
      const what = product.describe({ days, isRenewal: order.isRenewal, valueRub: 0 })
      await tell(tx, { id: orderId, userId }, what, now)
      kick(machineJob)
      const given = { item_id: itemId, expires_at: term.expires_at }
      const after = { order_id: orderId, product_type: name, ...wish, days, ...given }
      return audited(given, { after })
    }
  },
}
