import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { engineKinds, locateEngine } from '@sallyport/agent/engines/common/locate'
import { engineNames } from '@sallyport/contract/agent/agent'
import { checkSmtp } from '../../adapters/mail/smtp-check.ts'
import { type Config, inheritedEnvironment } from '../../config.ts'
import { Vault } from '../../core/kernel/vault.ts'
import { checkBooks } from '../../core/ledger/check-books.ts'
import { systemNames, thisMachine } from '../../doctor/machine/this-machine.ts'
import { asksBy } from '../../doctor/public/ask.ts'
import type { EngineHere, Subject } from '../../doctor/subject.ts'
import { CabinetBuild } from '../../features/cabinet/build.ts'
import { readBackupStatus } from '../../local/backup-status.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { opensClouds } from '../clouds.ts'
import { urlOf } from '../http-server.ts'
import { realProviders } from '../providers.ts'
import { builtCabinet } from '../web.ts'
import { openForReading } from './database.ts'

/** Joins what `sallyport doctor` looks at. Nothing is made and nothing is changed. */

/** Undefined where there is none: a start would make one. */
const vaultOf = ({ secretKey, databaseUrl, dataDir }: Config): Vault | undefined => {
  if (secretKey) return new Vault(secretKey)
  if (databaseUrl) return undefined
  try {
    const key = Buffer.from(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim(), 'base64')
    return key.length === 32 ? new Vault(key) : undefined
  } catch {
    return undefined
  }
}

const enginesHere = (): Promise<EngineHere[]> =>
  Promise.all(
    engineNames.map(async (name) => {
      const located = await locateEngine(name, inheritedEnvironment())
      const reason = located.state === 'found' ? undefined : located.reason
      return { title: engineKinds[name].title, reason }
    }),
  )

const cabinetProblem = (): string | undefined => {
  try {
    void new CabinetBuild(builtCabinet)
    return undefined
  } catch (error) {
    return (error as { code?: string }).code ?? 'it is not whole'
  }
}

const redisOf = (redisUrl: string | undefined): Subject['redis'] =>
  redisUrl === undefined
    ? undefined
    : async () => {
        const { readRedisFacts } = await import('../../adapters/limits/redis-facts.ts')
        return readRedisFacts(redisUrl)
      }

export interface Doctor {
  readonly subject: Subject
  close(): Promise<void>
}

export const openDoctor = (config: Config, given: Partial<Subject> = {}): Doctor => {
  const { read, close } = openForReading(config)
  const names = given.names ?? systemNames()
  const { smtp } = config.identity
  const subject: Subject = {
    config,
    nowMs: Date.now,
    read,
    vault: vaultOf(config),
    version: packageJson.version,
    machine: thisMachine,
    names,
    ask: asksBy(names),
    providers: new Map(realProviders(config.payments).map((provider) => [provider.name, provider])),
    openCloud: opensClouds(config.clouds),
    mailServer: smtp && (() => checkSmtp(smtp.url)),
    redis: redisOf(config.redisUrl),
    imbalance: async (tx) => (await checkBooks(tx)).imbalance,
    lastBackup: () => readBackupStatus(config.dataDir),
    enginesHere,
    cabinetProblem,
    listenUrl: urlOf(config, config.port),
    longWaitSeconds: 11,
    pause: (ms) => setTimeout(ms),
    ...given,
  }
  return { subject, close }
}
