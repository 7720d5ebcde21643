import { type ProviderReply, type ProviderRequest, StandIn } from './stand-in.ts'

/** CoinGecko's simple/price, as far as it is published. */
export class RatesStandIn extends StandIn {
  /** Roubles for one coin. A coin that is not here is not answered for. */
  readonly prices = new Map<string, unknown>([
    ['the-open-network', 251.37],
    ['tether', 92.413],
  ])
  /** What it answers instead, when this gives something. */
  says: (request: ProviderRequest) => ProviderReply | undefined = () => undefined

  get env(): Record<string, string> {
    return { RATES_URL: this.url }
  }

  protected override answer(request: ProviderRequest): ProviderReply {
    const said = this.says(request)
    if (said) return said
    if (request.method !== 'GET' || request.path !== '/simple/price') {
      return { status: 404, json: { error: 'Incorrect path. Please check https://www.coingecko.com/api/' } }
    }
    const currencies = request.query.get('vs_currencies')?.split(',')
    if (!currencies) return { status: 422, json: { error: 'Missing parameter vs_currencies' } }
    const coins = (request.query.get('ids') ?? '').split(',').filter((coin) => this.prices.has(coin))
    const priceOf = (coin: string) => (currencies.includes('rub') ? { rub: this.prices.get(coin) } : {})
    return { status: 200, json: Object.fromEntries(coins.map((coin) => [coin, priceOf(coin)])) }
  }

  protected override failure(): ProviderReply {
    return { status: 503, json: { status: { error_code: 503, error_message: 'Service Unavailable' } } }
  }

  /** What it says to those who ask too often. */
  static readonly tooMany: ProviderReply = {
    status: 429,
    json: { status: { error_code: 429, error_message: "You've exceeded the Rate Limit." } },
  }
}
