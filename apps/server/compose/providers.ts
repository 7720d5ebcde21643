import { CryptoPay } from '../adapters/payments/crypto-pay/crypto-pay.ts'
import { TelegramStars } from '../adapters/payments/stars/stars.ts'
import { Stripe } from '../adapters/payments/stripe/stripe.ts'
import { YooKassa } from '../adapters/payments/yookassa/yookassa.ts'
import type { PaymentsConfig } from '../config-payments.ts'
import type { Vault } from '../core/kernel/vault.ts'
import type { Db } from '../db/client.ts'
import { Sandbox } from '../features/sandbox/provider.ts'
import type { Clock } from '../ports/clock.ts'
import type { PaymentProvider } from '../ports/payments.ts'
import { tracedProvider } from './seeing/traces.ts'

export const sandboxKey = (vault: Vault): Buffer => vault.subkey('sandbox')

/** Those of others that are configured. */
export const realProviders = (config: PaymentsConfig): PaymentProvider[] => {
  const providers: PaymentProvider[] = []
  if (config.yookassa) providers.push(new YooKassa(config.yookassa))
  if (config.cryptoPay) providers.push(new CryptoPay(config.cryptoPay))
  if (config.stars) providers.push(new TelegramStars(config.stars))
  if (config.stripe) providers.push(new Stripe(config.stripe))
  return providers
}

/** The payment providers that are configured, by name. */
export const chooseProviders = (
  config: PaymentsConfig,
  at: { db: Db; vault: Vault; clock: Clock; publicUrl: () => string; isTraced: boolean },
): ReadonlyMap<string, PaymentProvider> => {
  const { db, clock, publicUrl } = at
  const sandbox = config.sandbox ? [new Sandbox({ db, key: sandboxKey(at.vault), publicUrl, clock })] : []
  const providers: PaymentProvider[] = [...sandbox, ...realProviders(config)]
  const given = at.isTraced ? providers.map(tracedProvider) : providers
  return new Map(given.map((provider) => [provider.name, provider]))
}
