import { agentsCheck, serverCertificatesCheck } from './business/agents.ts'
import { figuresCheck, ledgerCheck } from './business/books.ts'
import {
  alertsCheck,
  dueWorkCheck,
  eventsCheck,
  jobsCheck,
  lettersCheck,
  paymentsCheck,
  ratesCheck,
  serviceCheck,
} from './business/work.ts'
import {
  databaseCheck,
  databaseConnectionsCheck,
  databaseSettingsCheck,
  transactionsCheck,
  upkeepCheck,
} from './database/database.ts'
import { migrationsCheck } from './database/migrations.ts'
import { redisCheck } from './database/redis.ts'
import { replicasCheck } from './database/replicas.ts'
import { backupsCheck } from './machine/backups.ts'
import { clockCheck } from './machine/clock.ts'
import { diskCheck } from './machine/disk.ts'
import { memoryCheck, openFilesCheck } from './machine/limits.ts'
import { releaseCheck } from './machine/release.ts'
import { mailCheck, mailDomainCheck } from './outside/mail.ts'
import { cloudsCheck, identityCheck, providersCheck } from './outside/providers.ts'
import { certificateCheck } from './public/certificate.ts'
import { dnsCheck } from './public/dns.ts'
import { httpsCheck } from './public/https.ts'
import { longPollsCheck, proxyCheck } from './public/proxy.ts'
import { webhooksCheck } from './public/webhooks.ts'
import { secretKeyCheck } from './settings/secret-key.ts'
import { settingsCheck } from './settings/settings.ts'
import type { Check } from './subject.ts'

/** Everything that is looked at, in the order in which it is told: from the machine to the customers. */
export const everyCheck: readonly Check[] = [
  ...[settingsCheck, secretKeyCheck, releaseCheck, serviceCheck],
  ...[clockCheck, diskCheck, openFilesCheck, memoryCheck, backupsCheck],
  ...[databaseCheck, migrationsCheck, databaseSettingsCheck, databaseConnectionsCheck],
  ...[transactionsCheck, upkeepCheck, replicasCheck, redisCheck],
  ...[dnsCheck, certificateCheck, httpsCheck, proxyCheck, longPollsCheck],
  ...[providersCheck, webhooksCheck, identityCheck, cloudsCheck, mailCheck, mailDomainCheck],
  ...[agentsCheck, serverCertificatesCheck, jobsCheck, dueWorkCheck],
  ...[paymentsCheck, lettersCheck, eventsCheck, ratesCheck, ledgerCheck, figuresCheck, alertsCheck],
]
