import { CoinGeckoRates } from '../adapters/rates/coingecko.ts'
import { CloudflareWarp } from '../adapters/warp/cloudflare-warp.ts'
import type { Config } from '../config.ts'
import { noteUsedKeysJob, type UsedKeys } from '../core/accounts/credentials.ts'
import type { JobRuns } from '../core/alerts/job-runs.ts'
import { sendAlertLettersJob } from '../core/alerts/letters.ts'
import { lookForTroubleJob, watchNodesJob } from '../core/alerts/watch-jobs.ts'
import { sendBroadcastsJob } from '../core/broadcasts/broadcast-job.ts'
import type { Services } from '../core/call.ts'
import { machineJob } from '../core/clouds/machine-job.ts'
import { reconcileMachinesJob } from '../core/clouds/machine-reconcile.ts'
import { warnOfDestructionJob } from '../core/clouds/machine-terms.ts'
import { readStockJob } from '../core/clouds/provider-stock.ts'
import { noteFetchesJob } from '../core/delivery/subscription-fetches.ts'
import { emptyServersJob } from '../core/draining/drain-job.ts'
import { endCopiesJob } from '../core/draining/end-copies-job.ts'
import type { Job } from '../core/kernel/jobs.ts'
import { sendLettersJob } from '../core/kernel/mail.ts'
import { beginPeriodsJob, followServersJob, watchTrafficJob } from '../core/options/option-jobs.ts'
import { refreshRatesJob } from '../core/sales/rates-job.ts'
import { checkLedgerJob } from '../core/seeing/check-ledger-job.ts'
import { awaitedPaymentsJob } from '../core/settlement/awaited-payments.ts'
import { releaseCommissionsJob } from '../core/settlement/commissions.ts'
import { settleEventsJob } from '../core/settlement/inbox.ts'
import { grantPaidOrdersJob } from '../core/settlement/paid-orders.ts'
import { pursueRefundsJob, reconcilePaymentsJob } from '../core/settlement/reconcile.ts'
import { erasePayoutAccountsJob } from '../core/settlement/withdrawals.ts'
import { checkFiguresJob } from '../core/statistics/check.ts'
import { foldFiguresJob } from '../core/statistics/fold.ts'
import { deleteLapsedJob, renewAndExpireJob } from '../core/terms/expiry.ts'
import { leaveRemindersJob } from '../core/terms/reminders-job.ts'
import { moveUpgradesJob } from '../core/upgrades/upgrade-job.ts'
import { keepCarriedJob } from '../core/vpn/failover/failover-job.ts'
import { takeClosedOffJob } from '../core/vpn/operations/blocked-accounts.ts'
import { registerWarpJob } from '../core/vpn/operations/warp-registration.ts'
import { deliverWebhooksJob } from '../core/webhooks/delivery-job.ts'
import { type DeliveryParts, deliverSandboxJob } from '../features/sandbox/delivery.ts'
import type { Round } from './scheduler.ts'
import { tidyJob } from './tidy.ts'

/** All recurring work, in the order in which one round of all of it makes sense. */
export const jobsOf = (
  services: Services,
  config: Config,
  parts: { readonly usedKeys: UsedKeys; readonly sandbox: DeliveryParts; readonly jobRuns: JobRuns },
): Round[] => {
  const { rates, sandbox } = config.payments
  const source = rates && new CoinGeckoRates(rates)
  const { jobRuns } = parts
  const round = <Parts>(job: Job<Parts>, at: Parts): Round => ({
    job,
    run: jobRuns.watch(job, (progress) => job.run(at, services.clock.now(), progress)),
  })
  return [
    ...(sandbox ? [round(deliverSandboxJob, parts.sandbox)] : []),
    round(settleEventsJob, services),
    round(reconcilePaymentsJob, services),
    ...[...services.providers.keys()].map((provider) => round(awaitedPaymentsJob(provider), services)),
    round(grantPaidOrdersJob, services),
    round(pursueRefundsJob, services),
    round(renewAndExpireJob, services),
    round(machineJob, services),
    round(reconcileMachinesJob, services),
    round(readStockJob, services),
    round(warnOfDestructionJob, services),
    round(beginPeriodsJob, services),
    round(watchTrafficJob, services),
    round(emptyServersJob, services),
    round(moveUpgradesJob, services),
    round(followServersJob, services),
    round(keepCarriedJob, services),
    round(takeClosedOffJob, services),
    round(leaveRemindersJob, services),
    round(sendBroadcastsJob, services),
    round(releaseCommissionsJob, services),
    round(erasePayoutAccountsJob, services),
    ...(source ? [round(refreshRatesJob, { ...services, source })] : []),
    round(deleteLapsedJob, services),
    round(noteUsedKeysJob, { ...services, ...parts }),
    round(noteFetchesJob, services),
    round(endCopiesJob, services),
    round(registerWarpJob, { ...services, registrar: new CloudflareWarp(config.warpUrl) }),
    round(watchNodesJob, services),
    round(lookForTroubleJob, { ...services, jobRuns }),
    round(sendAlertLettersJob, services),
    round(sendLettersJob, services),
    round(foldFiguresJob, services),
    round(checkFiguresJob, services),
    round(checkLedgerJob, services),
    round(deliverWebhooksJob, services),
    round(tidyJob, services),
  ]
}
