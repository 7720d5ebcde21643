import type { OrderedProduct } from '@sallyport/contract/products'
import type { Logger } from 'pino'
import { webhookPoster } from '../adapters/webhooks/post-webhook.ts'
import type { Config } from '../config.ts'
import { SeenDevices } from '../core/accounts/devices/seen-devices.ts'
import { SessionTokens } from '../core/accounts/session-tokens.ts'
import type { Services } from '../core/call.ts'
import { SubscriptionFetches } from '../core/delivery/subscription-fetches.ts'
import { RefusedCounters } from '../core/fleet/traffic-plausibility.ts'
import type { Product } from '../core/sales/products.ts'
import { countCaches } from '../core/seeing/cache-counts.ts'
import { mayDial } from '../core/webhooks/endpoint-address.ts'
import type { Database } from '../db/client.ts'
import { cloudProduct } from '../features/cloud-servers/product.ts'
import { configProduct } from '../features/configs/product.ts'
import { optionProduct } from '../features/paid-options/product.ts'
import { balanceProduct } from '../features/profile/balance-product.ts'
import { opensClouds } from './clouds.ts'
import { chooseIdentityProviders, chooseMailer } from './identity.ts'
import { chooseProviders } from './providers.ts'
import { tracedPost } from './seeing/traces.ts'
import { openXrayReader } from './xray.ts'

/** Everything that can be ordered. */
const products: Readonly<Record<OrderedProduct, Product>> = {
  configs: configProduct,
  cloud_servers: cloudProduct,
  paid_options: optionProduct,
  balance: balanceProduct,
}

/** What a start opens before handlers and jobs can have anything in common. */
type Opened = Pick<Services, 'clock' | 'vault' | 'bus' | 'publicUrl' | 'agentKit' | 'kick' | 'stopping'> & {
  readonly database: Database
  readonly log: Logger
  readonly isTraced: boolean
}

/** What all handlers and jobs share, as the settings say. */
export const servicesOf = (config: Config, { database, isTraced, ...opened }: Opened): Services => {
  const { db, olderDb } = database
  const { clock, vault, log, publicUrl } = opened
  const post = webhookPoster({ mayDial: mayDial(config.webhooksToLoopback) })
  return {
    ...opened,
    db,
    olderDb,
    sessions: new SessionTokens(vault, clock),
    providers: chooseProviders(config.payments, { db, vault, clock, publicUrl, isTraced }),
    products: new Map(Object.values(products).map((product) => [product.name, product])),
    openCloud: opensClouds(config.clouds),
    mailer: chooseMailer(config, log),
    identityProviders: chooseIdentityProviders(config),
    telegram: config.identity.telegram,
    xray: openXrayReader(config, log),
    postWebhook: isTraced ? tracedPost(post) : post,
    webhooksToLoopback: config.webhooksToLoopback,
    refusedCounters: new RefusedCounters(),
    caches: countCaches(),
    fetches: new SubscriptionFetches(),
    seenDevices: new SeenDevices(db),
  }
}
