import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { inTransaction } from '../../db/client.ts'
import { issuePromocode, redeemPromocode } from './promocodes.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const buyKey = (buyerId: number, expiresAt?: number) => {
  const key = { product: 'configs', days: 90, buyerId, expiresAt, now: service.clock.now() } as const
  return issuePromocode(service.db, service.running.services.vault, key)
}
const redeem = (userId: number, code: string) => {
  const use = { code, product: 'configs', productId: null, userId, now: service.clock.now() } as const
  return inTransaction(service.db, (tx) => redeemPromocode(tx, service.running.services.vault, use))
}

describe('GET /profile/promocodes', () => {
  const mine = async (buyer: TestUser, query = '') =>
    (await service.customer(buyer, 'GET', `/profile/promocodes${query}`)).body.data

  test('shows the keys a customer bought, whole, newest first', async () => {
    const buyer = await service.createUser()
    expect(await mine(buyer)).toEqual([])
    const createdAt = service.clock.now()
    const keys = [await buyKey(buyer.id), await buyKey(buyer.id), await buyKey(buyer.id, createdAt + 60)]
    await service.operator('POST', '/promocodes', { product_type: 'configs', days: 90, count: 1 })
    await buyKey((await service.createUser()).id)
    const shown = keys.map(({ id, code }) => ({
      id,
      code,
      activation_days: 90,
      product_type: 'configs',
      is_active: true,
      created_at: createdAt,
    }))
    expect(await mine(buyer)).toEqual(shown.toReversed())
    expect(await mine(buyer, '?limit=1&offset=1')).toEqual([shown[1]])
    expect(await mine(buyer, '?offset=3')).toEqual([])
  })

  test('a key is active until it is used, revoked or expired', async () => {
    const buyer = await service.createUser()
    const keys = [
      await buyKey(buyer.id),
      await buyKey(buyer.id),
      await buyKey(buyer.id, service.clock.now() + 60),
      await buyKey(buyer.id),
    ] as const
    const active = async () => (await mine(buyer)).map((row: { is_active: boolean }) => row.is_active)
    expect(await active()).toEqual([true, true, true, true])
    await redeem(buyer.id, keys[0].code)
    await service.operator('DELETE', `/promocodes/${keys[1].id}`)
    service.clock.advance(60)
    expect(await active()).toEqual([true, false, false, false])
  })
})
