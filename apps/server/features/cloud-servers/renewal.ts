import type { cloudServers } from '@sallyport/contract/customer/cloud-servers/cloud-servers'
import { badRequest } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import type { Call, Handlers } from '../../core/call.ts'
import { machineJob } from '../../core/clouds/machine-job.ts'
import { AwaitingLink } from '../../core/sales/awaiting-link.ts'
import { checkout, type Payment } from '../../core/sales/checkout.ts'
import { findLastTariff } from '../../core/sales/orders.ts'
import { listPrices } from '../../core/sales/prices.ts'
import { lockRenewable, type RenewalPurchase } from '../../core/terms/extend-term.ts'
import { findExpiry, type Term } from '../../core/terms/terms.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { cloudTerms, soldAs } from './product.ts'

type Renewal = Call<typeof cloudServers.renewCloudServer>
type Body = BodyOf<typeof cloudServers.renewCloudServer>

/** Neither or both is refused, as in a purchase. */
const readPayment = (body: Body): { promocode: string } | { paymentMethodId: number } => {
  const { promocode, payment_method_id: paymentMethodId } = body
  if (promocode !== undefined) {
    if (paymentMethodId === undefined && body.days === undefined) return { promocode }
    throw badRequest('promocode', 'cannot be combined with payment_method_id or days; give one or the other')
  }
  if (paymentMethodId !== undefined) return { paymentMethodId }
  throw badRequest('payment_method_id', 'is required, unless a promocode is given')
}

/** The tariff of so many days, or the one that was bought last. */
const tariffFor = async (tx: Db, call: Renewal, term: Term): Promise<number> => {
  const { days } = call.body
  if (days === undefined) {
    const last = await findLastTariff(tx, { product: 'cloud_servers', itemId: term.item_id })
    if (last === undefined) throw badRequest('days', 'is required: no tariff was bought before')
    return last
  }
  const prices = await listPrices(tx, call, { ...soldAs(term.product_id as number), itemId: term.item_id })
  const tariff = prices.find((price) => price.days === days)
  if (tariff) return tariff.tariff_id
  const lengths = [...new Set(prices.map((price) => price.days))].sort((a, b) => a - b)
  throw badRequest('days', `must be the length of a tariff: ${lengths.join(', ')}`)
}

export const renewCloudServer: Handlers<typeof cloudServers>['renewCloudServer'] = async (call) => {
  const { userId, body, now } = call
  const payment = readPayment(body)
  const answer = await inTransaction(call.db, async (tx) => {
    const term = await lockRenewable(tx, cloudTerms, { userId, itemId: body.server_id, now })
    const purchase: RenewalPurchase =
      body.enable_auto_renewal === undefined ? {} : { enableAutoRenewal: body.enable_auto_renewal }
    const what = {
      userId,
      product: 'cloud_servers',
      productId: term.product_id,
      itemId: term.item_id,
    } as const
    const paid: Payment =
      'promocode' in payment ? payment : { ...payment, tariffId: await tariffFor(tx, call, term) }
    const outcome = await checkout(tx, call, { ...what, purchase, isRenewal: true, asKey: false }, paid)
    if (outcome instanceof AwaitingLink) return outcome
    return { renewed: true, expires_at: await findExpiry(tx, term.id) }
  })
  call.kick(machineJob)
  return answer
}
