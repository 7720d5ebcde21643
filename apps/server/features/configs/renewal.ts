import type { configs } from '@sallyport/contract/customer/configs'
import { badRequest } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import type { Handlers } from '../../core/call.ts'
import { AwaitingLink } from '../../core/sales/awaiting-link.ts'
import { checkout, type Payment } from '../../core/sales/checkout.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { holdRenewable, type RenewalPurchase, requireRoom } from './product.ts'
import { findExpiry, findLastTariff } from './queries.ts'

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
  const tariffId = body.tariff_id ?? (await findLastTariff(tx, configId))
  if (tariffId === undefined) throw badRequest('tariff_id', 'is required: no tariff was bought before')
  return { ...payment, tariffId }
}

export const renewConfig: Handlers<typeof configs>['renewConfig'] = (call) => {
  const { userId, body, now } = call
  const payment = readPayment(body)
  return inTransaction(call.db, async (tx) => {
    const config = await holdRenewable(tx, userId, call.params.config_id, now)
    const { id } = config
    const purchase: RenewalPurchase = { enableAutoRenewal: body.enable_auto_renewal }
    const basket = {
      userId,
      product: 'configs',
      purchase,
      itemId: id,
      isRenewal: true,
      asKey: false,
    } as const
    const paid = await completePayment(tx, payment, body, id)
    const outcome = await checkout(tx, call, basket, paid)
    if (!(outcome instanceof AwaitingLink)) return { id, expires_at: await findExpiry(tx, id) }
    if (config.state === 'expired') {
      await requireRoom(tx, { locationId: config.location_id, protocol: config.protocol }, now)
    }
    return outcome
  })
}
