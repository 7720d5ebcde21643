import type { configs } from '@sallyport/contract/customer/configs'
import { badRequest } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import type { Handlers } from '../../core/call.ts'
import { AwaitingLink } from '../../core/sales/awaiting-link.ts'
import { checkout, type Payment } from '../../core/sales/checkout.ts'
import { findLastTariff } from '../../core/sales/orders.ts'
import { lockRenewable, type RenewalPurchase } from '../../core/terms/extend-term.ts'
import { findExpiry } from '../../core/terms/terms.ts'
import { type LockedAccess, readAccess } from '../../core/vpn/access/locked-access.ts'
import { requireRoom } from '../../core/vpn/operations/server-slots.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { configTerms } from './product.ts'

type Body = BodyOf<typeof configs.renewConfig>

/** Neither or both is refused, as in a purchase; here the tariff may be left out. */
const readPayment = (body: Body): { promocode: string } | { paymentMethodId: number } => {
  const { promocode, payment_method_id: paymentMethodId } = body
  if (promocode !== undefined) {
    if (paymentMethodId === undefined && body.tariff_id === undefined) return { promocode }
    throw badRequest(
      'promocode',
      'cannot be combined with payment_method_id or tariff_id; give one or the other',
    )
  }
  if (paymentMethodId !== undefined) return { paymentMethodId }
  throw badRequest('payment_method_id', 'is required, unless a promocode is given')
}

const completePayment = async (
  tx: Db,
  payment: ReturnType<typeof readPayment>,
  body: Body,
  configId: number,
): Promise<Payment> => {
  if ('promocode' in payment) return payment
  const item = { product: 'configs', itemId: configId } as const
  const tariffId = body.tariff_id ?? (await findLastTariff(tx, item))
  if (tariffId === undefined) throw badRequest('tariff_id', 'is required: no tariff was bought before')
  return { ...payment, tariffId }
}

export const renewConfig: Handlers<typeof configs>['renewConfig'] = (call) => {
  const { userId, body, now } = call
  const payment = readPayment(body)
  return inTransaction(call.db, async (tx) => {
    const term = await lockRenewable(tx, configTerms, { userId, itemId: call.params.config_id, now })
    const { item_id: id } = term
    const purchase: RenewalPurchase =
      body.enable_auto_renewal === undefined ? {} : { enableAutoRenewal: body.enable_auto_renewal }
    const what = { userId, product: 'configs', productId: null, itemId: id } as const
    const basket = { ...what, purchase, isRenewal: true, asKey: false }
    const outcome = await checkout(tx, call, basket, await completePayment(tx, payment, body, id))
    if (!(outcome instanceof AwaitingLink)) return { id, expires_at: await findExpiry(tx, term.id) }
    if (term.state === 'expired') {
      const {
        location_id: locationId,
        protocol,
        server_id: homeId,
      } = (await readAccess(tx, term, id)) as LockedAccess
      await requireRoom(tx, { locationId, protocol, homeId, isNew: false }, now)
    }
    return outcome
  })
}
