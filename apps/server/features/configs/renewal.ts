import type { configs } from '@sallyport/contract/configs'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import type { Handlers } from '../../core/call.ts'
import { renewableSeconds } from '../../core/config-expiry.ts'
import { fulfilOrder, payFromBalance } from '../../core/orders.ts'
import { claimSlot, claimSlotOf, isOffered } from '../../core/servers.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { type Mover, moveConfig } from './moving.ts'
import { findLastTariff, type HeldConfig, holdConfig, updateConfig } from './queries.ts'
import { quote, secondsInDay } from './shop.ts'

type Body = BodyOf<typeof configs.renewConfig>

/** Neither or both is refused, as in a purchase; here the tariff may be left out. */
const readPayment = (body: Body): number => {
  if (body.promocode !== undefined) {
    if (body.payment_method_id !== undefined || body.tariff_id !== undefined) {
      throw badRequest(
        'promocode',
        'cannot be combined with payment_method_id or tariff_id; give one or the other',
      )
    }
    throw new ApiError('PROMOCODE_INVALID')
  }
  if (body.payment_method_id === undefined) {
    throw badRequest('payment_method_id', 'is required, unless a promocode is given')
  }
  return body.payment_method_id
}

/** What has ended gave its slot away: its own server first, or else another of the location. */
const bringBack = async (tx: Db, mover: Mover, config: HeldConfig): Promise<void> => {
  const { now } = mover
  const { server_id: serverId, location_id: locationId, protocol } = config
  const isThere = await isOffered(tx, { locationId, protocol, serverId, now })
  if (isThere && (await claimSlotOf(tx, serverId))) {
    await updateConfig(tx, config.id, { state: 'active' })
    await moveConfig(tx, mover, config, { ...config, nodeId: config.node_id, serverId, locationId })
    return
  }
  const server = await claimSlot(tx, { locationId, protocol, now })
  if (!server) throw new ApiError('NO_SERVER_AVAILABLE')
  await updateConfig(tx, config.id, { state: 'active' })
  await moveConfig(tx, mover, config, { ...config, nodeId: server.node_id, serverId: server.id, locationId })
}

export const renewConfig: Handlers<typeof configs>['renewConfig'] = (call) => {
  const { userId, body, now } = call
  const paymentMethodId = readPayment(body)
  return inTransaction(call.db, async (tx) => {
    const config = await holdConfig(tx, userId, call.params.config_id)
    if (!config || config.expires_at + renewableSeconds <= now) throw new ApiError('NOT_FOUND')
    const tariffId = body.tariff_id ?? (await findLastTariff(tx, userId, config.id))
    if (tariffId === undefined) throw badRequest('tariff_id', 'is required: no tariff was bought before')
    const { days, price } = await quote(tx, userId, { paymentMethodId, tariffId })
    const paid = { userId, product: 'configs', paymentMethodId, tariffId, days, price, now } as const
    const orderId = await payFromBalance(tx, { ...paid, isRenewal: true })
    const expiresAt = Math.max(now, config.expires_at) + days * secondsInDay
    await updateConfig(tx, config.id, {
      expires_at: expiresAt,
      ...(body.enable_auto_renewal !== undefined && {
        auto_renewal: body.enable_auto_renewal,
        auto_renewal_days: body.enable_auto_renewal ? days : null,
      }),
    })
    if (config.state === 'expired') await bringBack(tx, call, config)
    await fulfilOrder(tx, orderId, config.id, now)
    return { id: config.id, expires_at: expiresAt }
  })
}
