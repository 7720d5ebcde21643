import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import type { Log } from '../../ports/log.ts'
import type { Rate, RateSource } from '../../ports/rates.ts'
import { listRates, storeRate } from './rates.ts'
import { refreshRates } from './rates-job.ts'

const database = useTestDatabase()
const now = 1_800_000_000

let warnings: object[] = []
const log: Log = {
  info: () => undefined,
  warn: (fields) => warnings.push(fields),
  error: () => undefined,
}
beforeEach(() => {
  warnings = []
})
afterEach(async () => {
  await database().db.deleteFrom('rates').execute()
  await database().db.deleteFrom('alerts').execute()
})

const sourceOf = (answer: readonly Rate[] | Error): RateSource => ({
  name: 'market',
  currencies: ['TON', 'USDT'],
  fetch: async () => {
    if (answer instanceof Error) throw answer
    return answer
  },
})
const refresh = (answer: readonly Rate[] | Error, at = now) =>
  refreshRates({ db: database().db, log, source: sourceOf(answer) }, at)

const both = [
  { currency: 'TON', microRub: 412_500_000 },
  { currency: 'USDT', microRub: 80_000_000 },
]
const alerts = () =>
  database().db.selectFrom('alerts').select(['kind', 'subject', 'details']).orderBy('id').execute()
const kept = (currency: string, microRub: number, at: number) => ({
  currency,
  micro_rub: microRub,
  source: 'market',
  set_at: at,
  valid_until: at + 3600,
})

test('what the source gives is kept for an hour and replaced by what it gives next', async () => {
  await refresh(both)
  expect(await listRates(database().db)).toMatchObject([
    kept('TON', 412_500_000, now),
    kept('USDT', 80_000_000, now),
  ])
  await refresh([{ currency: 'TON', microRub: 300_000_000 }, ...both.slice(1)], now + 600)
  expect(await listRates(database().db)).toMatchObject([
    kept('TON', 300_000_000, now + 600),
    kept('USDT', 80_000_000, now + 600),
  ])
  expect([warnings, await alerts()]).toEqual([[], []])
})

test('a rate that jumps is not believed, and the operator is told', async () => {
  await refresh(both)
  await refresh([{ currency: 'TON', microRub: 1 }, ...both.slice(1)], now + 600)
  expect(await listRates(database().db)).toMatchObject([
    kept('TON', 412_500_000, now),
    kept('USDT', 80_000_000, now + 600),
  ])
  expect(await alerts()).toMatchObject([{ kind: 'rates_failed', details: { currency: 'TON', to: 1 } }])
})

test('the source owns its currencies, and leaves the others to the operator', async () => {
  const byHand = { source: 'operator', now, validUntil: null }
  await storeRate(database().db, { currency: 'TON', microRub: 5, ...byHand })
  await storeRate(database().db, { currency: 'XTR', microRub: 5, ...byHand })
  await refresh([...both, { currency: 'XTR', microRub: 7 }])
  const sources = (await listRates(database().db)).map(({ currency, source }) => [currency, source])
  expect(sources).toEqual([
    ['TON', 'market'],
    ['USDT', 'market'],
    ['XTR', 'operator'],
  ])
})

describe('when the source fails', () => {
  const failure = new Error('connect ECONNREFUSED')

  test('fresh rates go on, with a line in the log and no alert', async () => {
    await refresh(both)
    await refresh(failure, now + 3599)
    expect((await listRates(database().db)).map((rate) => rate.set_at)).toEqual([now, now])
    expect(warnings).toEqual([{ err: failure, source: 'market', currencies: ['TON', 'USDT'] }])
    expect(await alerts()).toEqual([])
  })

  test('stale rates raise an alert, once a day', async () => {
    await refresh(both)
    for (const seconds of [3600, 4200, 4800, 86_400, 86_401]) await refresh(failure, now + seconds)
    const details = { currencies: ['TON', 'USDT'], reason: 'connect ECONNREFUSED' }
    expect(await alerts()).toEqual([
      { kind: 'rates_failed', subject: 'market:2027-01-15', details },
      { kind: 'rates_failed', subject: 'market:2027-01-16', details },
    ])
    expect(warnings).toHaveLength(5)
  })

  test('what was set by hand until it is changed does not go stale', async () => {
    const byHand = { source: 'operator', now, validUntil: null }
    await storeRate(database().db, { currency: 'TON', microRub: 5, ...byHand })
    await refresh(failure, now + 86_400)
    expect(await alerts()).toMatchObject([{ details: { currencies: ['USDT'] } }])
  })
})

test.each([
  ['left out', []],
  ['zero', [{ currency: 'TON', microRub: 0 }]],
  ['negative', [{ currency: 'TON', microRub: -1 }]],
  ['no whole number', [{ currency: 'TON', microRub: 1.5 }]],
  ['not a number', [{ currency: 'TON', microRub: Number.NaN }]],
])('a rate that is %s is as good as none', async (_what, rates) => {
  await refresh([...rates, ...both.slice(1)])
  expect((await listRates(database().db)).map((rate) => rate.currency)).toEqual(['USDT'])
  expect(await alerts()).toMatchObject([
    { details: { currencies: ['TON'], reason: 'the source left them out' } },
  ])
})
