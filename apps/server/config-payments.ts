import { ConfigError, type Env, readChoice, readNetworks, readUrl } from './config-values.ts'

/** Who takes money, and where rates come from: each provider is on when its secrets are given. */
export interface PaymentsConfig {
  readonly sandbox: boolean
  readonly yookassa:
    | { shopId: string; secretKey: string; url?: string; webhookNetworks?: readonly string[] }
    | undefined
  readonly cryptoPay: { token: string; url?: string } | undefined
  readonly stars: { botToken: string; webhookSecret: string; url?: string } | undefined
  readonly stripe: { secretKey: string; webhookSecret: string; url?: string } | undefined
  /** Undefined: the operator sets the rates. */
  readonly rates: { url?: string } | undefined
}

/** All of them, or none. */
const together = (env: Env, names: readonly string[]): string[] | undefined => {
  const values = names.map((name) => env[name] || undefined)
  if (values.every((value) => value === undefined)) return undefined
  const missing = names.filter((_, at) => values[at] === undefined)
  if (missing.length > 0) {
    const given = names.filter((name) => !missing.includes(name))
    throw new ConfigError(`${missing.join(', ')} is missing: ${given.join(', ')} does not work without it.`)
  }
  return values as string[]
}

const addressOf = (env: Env, name: string): { url?: string } => {
  const url = readUrl(env, name, ['https:', 'http:'], 'https://api.example.com')
  return url === undefined ? {} : { url: url.replace(/\/+$/, '') }
}

export const readPayments = (env: Env, isProduction: boolean): PaymentsConfig => {
  const yookassa = together(env, ['YOOKASSA_SHOP_ID', 'YOOKASSA_SECRET_KEY'])
  const [token] = together(env, ['CRYPTO_PAY_TOKEN']) ?? []
  // The bot alone is enough for signing in; with the webhook's secret it takes money too.
  const stars = env.TELEGRAM_WEBHOOK_SECRET
    ? together(env, ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_WEBHOOK_SECRET'])
    : undefined
  const stripe = together(env, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])
  const networks = readNetworks(env, 'YOOKASSA_WEBHOOK_NETWORKS')
  // Beside real money nobody may pay with none, unless that is said in so many words.
  const isReal = isProduction || [yookassa, token, stars, stripe].some((given) => given !== undefined)
  const source = readChoice(env, 'RATES', ['operator', 'coingecko'], 'operator')
  return {
    sandbox: readChoice(env, 'SANDBOX_PAYMENTS', ['on', 'off'], isReal ? 'off' : 'on') === 'on',
    yookassa: yookassa && {
      shopId: yookassa[0] as string,
      secretKey: yookassa[1] as string,
      ...addressOf(env, 'YOOKASSA_URL'),
      ...(networks.length > 0 && { webhookNetworks: networks }),
    },
    cryptoPay: token === undefined ? undefined : { token, ...addressOf(env, 'CRYPTO_PAY_URL') },
    stars: stars && {
      botToken: stars[0] as string,
      webhookSecret: stars[1] as string,
      ...addressOf(env, 'TELEGRAM_URL'),
    },
    stripe: stripe && {
      secretKey: stripe[0] as string,
      webhookSecret: stripe[1] as string,
      ...addressOf(env, 'STRIPE_URL'),
    },
    rates: source === 'operator' ? undefined : addressOf(env, 'RATES_URL'),
  }
}
