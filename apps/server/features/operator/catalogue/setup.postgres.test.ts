import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
beforeAll(async () => {
  const nowhere = 'http://127.0.0.1:9'
  const yookassa = { YOOKASSA_SHOP_ID: '1', YOOKASSA_SECRET_KEY: 'secret', YOOKASSA_URL: nowhere }
  service = await startTestService({ content: 'empty', env: { SANDBOX_PAYMENTS: 'off', ...yookassa } })
})
afterAll(() => service.stop())

test('an empty service begins with seven methods, once, however many ask', async () => {
  const now = service.clock.now()
  const token = await createOperator(service.db, { name: 'till', role: 'finance', now })
  expect((await service.call('POST', '/operator/v1/setup', { token })).status).toBe(403)

  const answers = await Promise.all(Array.from({ length: 4 }, () => service.operator('POST', '/setup')))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  const done = answers.find(({ status }) => status === 201)
  const methods = (await service.operator('GET', '/payment-methods')).body.data
  expect(done?.body.data).toEqual({ payment_methods: methods })
  const summed = methods.map((method: Record<string, unknown>) => [
    method.id,
    method.key,
    method.provider,
    method.is_active,
    method.is_available,
  ])
  expect(summed).toEqual([
    [1, 'balance', null, true, true],
    [2, 'sbp', 'yookassa', true, true],
    [3, 'card', 'yookassa', true, true],
    [4, 'ton', null, false, false],
    [5, 'usdt', null, false, false],
    [6, 'stars', null, false, false],
    [7, 'referral', null, true, true],
  ])
  expect(methods[3].problem).toBe('cannot be sold, because it has no provider; no configured one takes it')
  const log = (await service.operator('GET', '/audit?action=setUp')).body.data
  expect(log).toMatchObject([{ subject: 'setup' }])
  expect((await service.operator('GET', '/locations')).body.data).toEqual([])
  expect((await service.operator('GET', '/config-tariffs')).body.data).toEqual([])
})

test('from there a location, a price and a method are one call each', async () => {
  const place = { code: 'NL', title_ru: 'Нидерланды', title_en: 'Netherlands' }
  expect((await service.operator('POST', '/locations', place)).body.data.id).toBe(1)
  const tariffs = [{ days: 30, prices: [{ payment_method_id: 1, price: 200 }] }]
  const priced = await service.operator('PUT', '/config-tariffs', { tariffs })
  expect(priced.body.data).toEqual([{ id: 1, ...tariffs[0], problem: null, version: 2 }])
  const again = await service.operator('POST', '/setup')
  expect([again.status, again.body.details]).toEqual([
    409,
    [{ path: '', problem: 'there are locations already; this is for an empty service only' }],
  ])
})
