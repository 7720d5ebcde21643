import { CoinGeckoRates } from '../adapters/rates/coingecko.ts'
import { CloudflareWarp } from '../adapters/warp/cloudflare-warp.ts'
import type { Config } from '../config.ts'
import { touchApiKeys } from '../core/accounts/credentials.ts'
import type { Services } from '../core/call.ts'
import { tidy } from '../core/housekeeping.ts'
import { sendLetters, sendLettersJob } from '../core/kernel/mail.ts'
import type { Job } from '../core/kernel/scheduler.ts'
import { grantPaidOrders } from '../core/sales/grants.ts'
import { refreshRates } from '../core/sales/refreshing-rates.ts'
import { releaseCommissions } from '../core/settlement/commissions.ts'
import { settleEvents } from '../core/settlement/inbox.ts'
import { pursueRefunds, reconcilePayments } from '../core/settlement/reconcile.ts'
import { eraseOldAccounts } from '../core/settlement/withdrawals.ts'
import { deleteLapsedConfigs } from '../core/terms/config-expiry.ts'
import { expireConfigs } from '../core/terms/expiry.ts'
import { leaveReminders } from '../core/terms/reminding.ts'
import { renewAutomatically } from '../core/terms/renewing.ts'
import { registerWarpAccounts } from '../core/vpn/warp-registration.ts'
import { inTransaction } from '../db/client.ts'
import { type DeliveryParts, deliverSandboxEvents } from '../features/sandbox/delivery.ts'
import { settleJob } from '../features/webhooks/routes.ts'

/** Keys used since the last write, so that last_used_at costs nothing on the request. */
export class UsedKeys {
  #ids = new Set<number>()

  readonly add = (id: number): void => {
    this.#ids.add(id)
  }

  take(): number[] {
    const ids = [...this.#ids]
    this.#ids = new Set()
    return ids
  }
}

const grantJob = 'grant paid orders'

const seconds = (count: number): number => count * 1000

const moneyJobs = (services: Services, config: Config, sandbox: DeliveryParts): Job[] => {
  const { db, bus, clock, log } = services
  const { rates } = config.payments
  const source = rates && new CoinGeckoRates(rates)
  return [
    ...(config.payments.sandbox
      ? [
          {
            name: 'deliver sandbox events',
            everyMs: seconds(2),
            run: () => deliverSandboxEvents(sandbox, clock.now()),
          },
        ]
      : []),
    {
      name: settleJob,
      everyMs: seconds(5),
      run: () => settleEvents(services, clock.now(), () => services.kick(grantJob)),
    },
    { name: 'reconcile payments', everyMs: seconds(30), run: () => reconcilePayments(services, clock.now()) },
    { name: grantJob, everyMs: seconds(5), run: () => grantPaidOrders(services, clock.now()) },
    { name: 'pursue refunds', everyMs: seconds(10), run: () => pursueRefunds(services, clock.now()) },
    {
      // Renewal first, also after the service was away: nothing is switched off that could be paid.
      name: 'renew and expire configurations',
      everyMs: seconds(10),
      run: async () => {
        const now = clock.now()
        await expireConfigs(db, bus, now, await renewAutomatically(services, now))
      },
    },
    { name: 'leave reminders', everyMs: seconds(60), run: () => leaveReminders(db, clock.now()) },
    { name: 'release commissions', everyMs: seconds(60), run: () => releaseCommissions(db, clock.now()) },
    {
      name: 'erase payout accounts',
      everyMs: seconds(3600),
      run: () => inTransaction(db, (tx) => eraseOldAccounts(tx, clock.now())),
    },
    ...(source
      ? [
          {
            name: 'refresh rates',
            everyMs: seconds(300),
            run: () => refreshRates({ db, log, source }, clock.now()),
          },
        ]
      : []),
  ]
}

/** In the order in which one round of all of them makes sense. */
export const jobsOf = (
  services: Services,
  config: Config,
  parts: { readonly usedKeys: UsedKeys; readonly sandbox: DeliveryParts },
): Job[] => {
  const { db, bus, clock, log } = services
  const registrar = new CloudflareWarp(config.warpUrl)
  return [
    ...moneyJobs(services, config, parts.sandbox),
    {
      name: 'delete lapsed configurations',
      everyMs: seconds(600),
      run: () => inTransaction(db, (tx) => deleteLapsedConfigs(tx, clock.now())),
    },
    {
      name: 'note used keys',
      everyMs: seconds(60),
      run: () => touchApiKeys(db, parts.usedKeys.take(), clock.now()),
    },
    {
      name: 'register WARP accounts',
      everyMs: seconds(10),
      run: () => registerWarpAccounts({ db, bus, log, registrar }, clock.now()),
    },
    { name: sendLettersJob, everyMs: seconds(5), run: () => sendLetters(services) },
    { name: 'tidy', everyMs: seconds(600), run: () => tidy(db, clock.now()) },
  ]
}
