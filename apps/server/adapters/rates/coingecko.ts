import type { Rate, RateSource } from '../../ports/rates.ts'
import { readDecimal } from '../payments/decimals.ts'
import { askProvider } from '../payments/provider-http.ts'

/** Rates of TON and USDT from CoinGecko's public API. */

const coins: Readonly<Record<string, string>> = { TON: 'the-open-network', USDT: 'tether' }
const microDecimals = 6
/** A million roubles for one unit: whoever says more is mistaken. */
const maxMicroRub = 1_000_000 * 10 ** microDecimals

/** The digits as they were written: a multiplication would add a fraction that nobody named. */
const readPrice = (currency: string, price: unknown): number => {
  const microRub = typeof price === 'number' ? readDecimal(String(price), microDecimals) : undefined
  if (microRub === undefined || microRub <= 0 || microRub > maxMicroRub) {
    throw new Error(`CoinGecko gave a price of ${currency} that cannot be right`)
  }
  return microRub
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined

export class CoinGeckoRates implements RateSource {
  readonly name = 'coingecko'
  readonly currencies = ['TON', 'USDT']
  readonly #url: string
  readonly #timeoutMs: number | undefined

  constructor(options: { readonly url?: string; readonly timeoutMs?: number } = {}) {
    this.#url = (options.url ?? 'https://api.coingecko.com/api/v3').replace(/\/+$/, '')
    this.#timeoutMs = options.timeoutMs
  }

  async fetch(): Promise<readonly Rate[]> {
    const ids = Object.values(coins).join(',')
    const { status, json } = await askProvider(`${this.#url}/simple/price?ids=${ids}&vs_currencies=rub`, {
      method: 'GET',
      headers: { accept: 'application/json' },
      ...(this.#timeoutMs !== undefined && { timeoutMs: this.#timeoutMs }),
    })
    if (status !== 200) throw new Error(`CoinGecko answered ${status}`)
    const rates = Object.entries(coins).flatMap(([currency, coin]) => {
      const price = fieldOf(fieldOf(json, coin), 'rub') ?? undefined
      return price === undefined ? [] : [{ currency, microRub: readPrice(currency, price) }]
    })
    if (rates.length === 0) throw new Error('CoinGecko gave no price at all')
    return rates
  }
}
