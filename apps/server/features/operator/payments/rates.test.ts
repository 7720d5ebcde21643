import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.db.deleteFrom('rates').execute()
})
afterAll(() => service.stop())

interface Listed {
  readonly currency: string
  readonly is_fresh: boolean
}
const list = async () => (await service.operator('GET', '/rates')).body.data
const rateOf = async (currency: string) => (await list()).find((rate: Listed) => rate.currency === currency)

test('every currency is listed, also one that has no rate', async () => {
  const none = { rub: null, source: null, set_at: null, valid_until: null, is_fresh: false, version: 0 }
  expect(await list()).toEqual(['TON', 'USDT', 'XTR', 'USD'].map((currency) => ({ currency, ...none })))
})

test('a rate holds for the hours given, a week when none are, and for good with null', async () => {
  const now = service.clock.now()
  const ends = { 24: now + 24 * 3600, week: now + 7 * 86_400 }
  const day = await service.operator('PUT', '/rates/TON', { rub: 412.5, valid_hours: 24 })
  expect([day.status, day.body.data]).toMatchObject([
    200,
    { currency: 'TON', rub: 412.5, valid_until: ends[24] },
  ])
  const week = await service.operator('PUT', '/rates/USDT', { rub: 80.123456 })
  expect(week.body.data).toMatchObject({ currency: 'USDT', rub: 80.123456, valid_until: ends.week })
  const ever = await service.operator('PUT', '/rates/XTR', { rub: 1.7, valid_hours: null })
  expect(ever.body.data).toMatchObject({ currency: 'XTR', rub: 1.7, valid_until: null })
  const freshness = async () =>
    Object.fromEntries((await list()).map((rate: Listed) => [rate.currency, rate.is_fresh]))
  expect(await freshness()).toEqual({ TON: true, USDT: true, XTR: true, USD: false })
  service.clock.advance(24 * 3600 - 1)
  expect(await freshness()).toMatchObject({ TON: true })
  service.clock.advance(1)
  expect(await freshness()).toMatchObject({ TON: false, USDT: true, XTR: true })
  service.clock.advance(6 * 86_400)
  expect(await freshness()).toMatchObject({ USDT: false, XTR: true })
  expect(await rateOf('TON')).toMatchObject({ rub: 412.5, source: 'operator', set_at: now })
})

test('a rate is kept exactly, and every change is in the audit log', async () => {
  await service.operator('PUT', '/rates/USD', { rub: 90.000001, valid_hours: 1 })
  await service.operator('PUT', '/rates/USD', { rub: 0.000001, valid_hours: null })
  const kept = await service.db.selectFrom('rates').selectAll().where('currency', '=', 'USD').execute()
  expect(kept).toMatchObject([{ micro_rub: 1, source: 'operator', valid_until: null }])
  const { body } = await service.operator('GET', '/audit?action=setRate&subject=rate:USD')
  expect(body.data.map((entry: { details: object }) => entry.details)).toMatchObject([
    { before: { rub: 90.000001 }, after: { rub: 0.000001, valid_until: null } },
    { before: { rub: null }, after: { rub: 90.000001, valid_until: service.clock.now() + 3600 } },
  ])
})

test('what is no rate is refused by name, and nothing is kept', async () => {
  const before = await list()
  const refused = [{ rub: 1.0000001 }, { rub: 0 }, { rub: -1 }, { rub: 1e10 }, { rub: '1' }, {}]
  for (const body of [...refused, { rub: 1, valid_hours: 0 }, { rub: 1, valid_hours: 1.5 }]) {
    const answer = await service.operator('PUT', '/rates/TON', body)
    expect([answer.status, answer.body.errorCode], JSON.stringify(body)).toEqual([400, 3])
  }
  const fine = await service.operator('PUT', '/rates/TON', { rub: 1.0000001 })
  expect(fine.body.details).toEqual([{ path: 'rub', problem: 'must have at most 6 decimals' }])
  for (const [currency, status] of [
    ['RUB', 404],
    ['BTC', 404],
    ['ton', 400],
  ] as const) {
    expect((await service.operator('PUT', `/rates/${currency}`, { rub: 1 })).status, currency).toBe(status)
  }
  expect(await list()).toEqual(before)
})

test('owner and finance set rates; support reads them', async () => {
  for (const [role, status] of [
    ['owner', 200],
    ['finance', 200],
    ['support', 403],
  ] as const) {
    const token = await createOperator(service.db, { name: role, role, now: service.clock.now() })
    const set = await service.call('PUT', '/operator/v1/rates/TON', { token, body: { rub: 400 } })
    expect(set.status, role).toBe(status)
    expect((await service.call('GET', '/operator/v1/rates', { token })).status).toBe(200)
  }
})
