import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { RatesStandIn } from '../../../../test/support/providers/rates.ts'
import type { Fault } from '../../../../test/support/providers/stand-in.ts'
import { CoinGeckoRates } from './coingecko.ts'

let coingecko: RatesStandIn
let rates: CoinGeckoRates

beforeAll(async () => {
  coingecko = await new RatesStandIn().start()
  rates = new CoinGeckoRates({ url: coingecko.url, timeoutMs: 1000 })
})
afterAll(() => coingecko.stop())
beforeEach(() => {
  coingecko.fault = () => 'none'
  coingecko.says = () => undefined
  coingecko.requests.length = 0
  coingecko.prices.set('the-open-network', 251.37)
  coingecko.prices.set('tether', 92.413)
})

test('asks as published, and reads what it knows', async () => {
  expect(await rates.fetch()).toEqual([
    { currency: 'TON', microRub: 251_370_000 },
    { currency: 'USDT', microRub: 92_413_000 },
  ])
  const [request] = coingecko.requests
  expect(request).toMatchObject({ method: 'GET', path: '/simple/price' })
  expect(Object.fromEntries(request?.query ?? [])).toEqual({
    ids: 'the-open-network,tether',
    vs_currencies: 'rub',
  })
  expect(rates.currencies).toEqual(['TON', 'USDT'])
})

test('reads every price to the last millionth', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 10 ** 12 }), async (microRub) => {
      const digits = String(microRub).padStart(7, '0')
      const price = Number(`${digits.slice(0, -6)}.${digits.slice(-6)}`)
      // Numbers this small are written with an exponent and are nobody's price.
      fc.pre(price >= 1e-6)
      coingecko.prices.set('tether', price)
      const [, usdt] = await rates.fetch()
      expect(usdt).toEqual({ currency: 'USDT', microRub })
    }),
    { numRuns: 60 },
  )
})

test.each([
  [0.1 + 0.2, 300_000],
  [78.12345678901, 78_123_456],
  [1e6, 10 ** 12],
])('%d', async (price, microRub) => {
  coingecko.prices.set('tether', price)
  expect((await rates.fetch())[1]).toEqual({ currency: 'USDT', microRub })
})

test('leaves out what it is not told', async () => {
  coingecko.prices.delete('the-open-network')
  expect(await rates.fetch()).toEqual([{ currency: 'USDT', microRub: 92_413_000 }])
  coingecko.prices.set('the-open-network', null)
  expect((await rates.fetch()).map(({ currency }) => currency)).toEqual(['USDT'])
})

const endless = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON('1e999')
test.each([
  ['nothing', 0],
  ['less than nothing', -92],
  ['almost nothing', 1e-9],
  ['too much', 1_000_001],
  ['far too much', 1e21],
  ['without an end', endless],
  ['words', '92.4'],
  ['a list', [92]],
  ['true', true],
])('a price that is %s is refused', async (_what, price) => {
  coingecko.prices.set('tether', price)
  await expect(rates.fetch()).rejects.toThrow(/USDT/)
})

test.each([
  ['too many requests', RatesStandIn.tooMany],
  ['nothing known', { status: 200, json: {} }],
  ['not an object', { status: 200, json: null }],
  ['a list', { status: 200, json: [] }],
  ['an error with a price', { status: 500, json: { tether: { rub: 92 } } }],
])('%s is a failure', async (_what, reply) => {
  coingecko.says = () => reply
  await expect(rates.fetch()).rejects.toThrow()
})

test.each<[Fault]>([['error-before'], ['cut-before'], ['cut-after']])('%s is a failure', async (fault) => {
  coingecko.fault = () => fault
  await expect(rates.fetch()).rejects.toThrow()
})
