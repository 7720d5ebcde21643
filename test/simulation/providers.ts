import { CryptoPayStandIn } from '../support/providers/crypto-pay.ts'
import type { Fault, StandIn } from '../support/providers/stand-in.ts'
import { StarsStandIn } from '../support/providers/stars.ts'
import { StripeStandIn } from '../support/providers/stripe.ts'
import { YooKassaStandIn } from '../support/providers/yookassa.ts'
import { Dice } from './dice.ts'
import type { Tally } from './tally.ts'

/** Everybody outside who takes money, and how badly they behave. */

export type ProviderName = 'yookassa' | 'crypto_pay' | 'stars' | 'stripe' | 'sandbox'

export interface Providers {
  readonly yookassa: YooKassaStandIn
  readonly cryptoPay: CryptoPayStandIn
  readonly stars: StarsStandIn
  readonly stripe: StripeStandIn
  readonly all: readonly StandIn[]
  readonly env: Record<string, string>
}

export const startProviders = async (now: () => number): Promise<Providers> => {
  const yookassa = await new YooKassaStandIn().start()
  const cryptoPay = await new CryptoPayStandIn().start()
  const stars = await new StarsStandIn(now).start()
  const stripe = await new StripeStandIn(now).start()
  const env = { ...yookassa.env, ...cryptoPay.env, ...stars.env, ...stripe.env }
  return { yookassa, cryptoPay, stars, stripe, all: [yookassa, cryptoPay, stars, stripe], env }
}

const faultShare = 0.12
const kinds: readonly Fault[] = ['error-before', 'error-after', 'cut-before', 'cut-after']

/** Each call may fail, before it is carried out or after. */
export const beginFaults = ({ all }: Providers, seed: number, tally: Tally): void => {
  for (const [number, standIn] of all.entries()) {
    const dice = new Dice(seed, 900 + number)
    standIn.fault = () => {
      if (!dice.chance(faultShare)) return 'none'
      const kind = dice.pick(kinds)
      tally.add(`fault ${kind}`)
      return kind
    }
  }
}

export const endFaults = ({ all, yookassa, stripe }: Providers): void => {
  for (const standIn of all) standIn.fault = () => 'none'
  yookassa.refundsBecome = 'succeeded'
  stripe.storesFailures = false
}

export interface Place {
  readonly provider: ProviderName
  readonly id: string
}

/** Where a link leads. */
export const placeOf = ({ cryptoPay }: Providers, link: string): Place => {
  const url = new URL(link)
  const last = url.pathname.split('/').at(-1) ?? ''
  switch (url.hostname) {
    case 'yoomoney.ru':
      return { provider: 'yookassa', id: url.searchParams.get('orderId') ?? '' }
    case 'checkout.stripe.com':
      return { provider: 'stripe', id: last }
    case 't.me': {
      if (last !== 'CryptoBot') return { provider: 'stars', id: last }
      const hash = url.searchParams.get('start')
      const invoice = [...cryptoPay.payments.values()].findLast((one) => one.hash === hash)
      return { provider: 'crypto_pay', id: invoice?.id ?? '' }
    }
    default:
      return { provider: 'sandbox', id: last }
  }
}
