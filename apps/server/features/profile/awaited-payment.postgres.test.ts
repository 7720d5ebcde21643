import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outside, untilWaits } from '../../../../test/support/databases/waiting.ts'
import { YooKassaStandIn } from '../../../../test/support/providers/yookassa.ts'
import { startTestService, type TestService, usualOrder } from '../../../../test/support/service.ts'
import { inTransaction } from '../../db/client.ts'

let service: TestService
const yookassa = new YooKassaStandIn()
beforeAll(async () => {
  await yookassa.start()
  service = await startTestService({ withoutLimits: true, env: yookassa.env })
  await service.operator('PATCH', '/payment-methods/2', { provider: 'yookassa' })
  await service.heartbeat()
})
afterAll(async () => {
  await service.stop()
  await yookassa.stop()
})

test('who looks at a payment does not wait for whoever is settling it', async () => {
  const user = await service.createUser()
  const order = { ...usualOrder, payment_method_id: 2 }
  const { payment_id: id } = (await service.customer(user, 'POST', '/configs', order)).body.data
  service.clock.advance(10)
  const shown = await inTransaction(service.db, async (tx) => {
    await tx.selectFrom('payments').select('id').where('order_id', '=', id).forUpdate().execute()
    const answer = outside(() => service.customer(user, 'GET', `/profile/payments/${id}`))
    await untilWaits(tx, answer)
    return Promise.race([answer, sleep(0)])
  })
  expect(shown?.body.data.state).toBe('waiting')
})
