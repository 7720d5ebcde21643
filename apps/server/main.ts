import { setTimeout } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { chooseClock, openWithKey, takeKey, tellCapacity } from './compose/database.ts'
import { letAgentIn, loadEmbeddedDefault } from './compose/demo.ts'
import { createFront } from './compose/front.ts'
import { urlOf } from './compose/http-server.ts'
import { agentKitOf, installKit } from './compose/install.ts'
import { jobsOf } from './compose/jobs.ts'
import { chooseLimiter } from './compose/limiter.ts'
import { operatingWithin } from './compose/operate.ts'
import { everyOperation, type Operations } from './compose/operations.ts'
import { sandboxKey } from './compose/providers.ts'
import { Scheduler } from './compose/scheduler.ts'
import { chooseTraces } from './compose/seeing/traces.ts'
import { servicesOf } from './compose/services.ts'
import { builtCabinet, builtConsole } from './compose/web.ts'
import type { Config } from './config.ts'
import { UsedKeys } from './core/accounts/credentials.ts'
import { JobRuns } from './core/alerts/job-runs.ts'
import type { Services } from './core/call.ts'
import { Bus } from './core/kernel/bus.ts'
import type { Vault } from './core/kernel/vault.ts'
import type { Database } from './db/client.ts'
import { logOptions } from './http/app.ts'
import type { OnUndeclared } from './http/failures.ts'
import { openBackupDoor } from './local/backup/door.ts'
import type { Credentials } from './local/credentials.ts'
import { freePort } from './local/free-port.ts'
import { LocalAgent } from './local/local-agent.ts'
import type { OperateWithin } from './operations/operate.ts'
import type { AgentKit } from './ports/agent-kit.ts'
import type { Clock } from './ports/clock.ts'
import type { Limiter } from './ports/limiter.ts'

/** The composition root: the only place where the parts are chosen and joined. */

type Environment = Readonly<Record<string, string | undefined>>

/** How long requests that are being answered when the service stops may take. */
const patienceMs = 10_000

export interface Overrides {
  readonly clock?: Clock
  readonly limiter?: Limiter
  readonly onUndeclared?: OnUndeclared
  /** Where the log goes instead of the standard output. */
  readonly logTo?: { write(line: string): void }
  /** Environment handed on to the local agent. */
  readonly agentEnv?: Environment
  /** Where the web app was built, instead of the usual place. */
  readonly cabinetDir?: string
  readonly consoleDir?: string
  /** Instead of what this machine would hand out. */
  readonly agentKit?: AgentKit
  /** Rounds wait until somebody asks for them, for whoever moves the clock says what is due. */
  readonly hasIdleRounds?: boolean
}

export interface RunningService {
  /** Where it listens, without a trailing slash. */
  readonly url: string
  readonly services: Services
  /** What callers in this process may run. */
  readonly operations: Operations
  /** The same within a transaction of the caller's. */
  readonly operateWithin: OperateWithin
  readonly database: Database
  /** The embedded default's demo customer and operator. */
  readonly credentials: Credentials | undefined
  runJobs(): Promise<void>
  /**
   * Says that it will stop, and goes on serving for as long as the settings say, so that whoever sends callers here
   * notices; `hurry` ends the wait.
   */
  drain(hurry?: AbortSignal): Promise<void>
  stop(): Promise<void>
}

interface Opened {
  readonly vault: Vault
  readonly database: Database
  readonly localAgent: LocalAgent | undefined
}

const openDatabaseAndAgent = async (config: Config, env: Environment, log: Logger): Promise<Opened> => {
  const key = takeKey(config)
  const localAgent = config.localAgent
    ? await LocalAgent.open({ dataDir: config.dataDir, env, log })
    : undefined
  const { database } = await openWithKey(config, key, (wait) =>
    log.warn(wait, 'a migration waits for a table that others hold'),
  ).catch(async (error: unknown) => {
    await localAgent?.stop()
    throw error
  })
  return { vault: key.vault, database, localAgent }
}

/** Everything of a service that does not listen yet. */
const joinParts = async (config: Config, overrides: Overrides) => {
  const log = pino(logOptions(config.logLevel), overrides.logTo)
  const { vault, database, localAgent } = await openDatabaseAndAgent(config, overrides.agentEnv ?? {}, log)
  const { db } = database
  const bus = new Bus()
  await bus.start(database)
  await tellCapacity(database, log)
  const stopping = new AbortController()
  const traces = chooseTraces(config, log)
  const scheduler = new Scheduler(log, traces?.tracer)
  const kit = installKit(config)
  /** Without a port in the settings it is known once there is one. */
  const urls = { listen: '', public: config.publicUrl ?? '' }
  const services = servicesOf(config, {
    database,
    log,
    vault,
    bus,
    clock: overrides.clock ?? (await chooseClock(config, db, log, stopping.signal)),
    isTraced: traces !== undefined,
    publicUrl: () => urls.public,
    agentKit: overrides.agentKit ?? agentKitOf(kit),
    kick: scheduler.kick,
    stopping: stopping.signal,
  })
  const redis: { isUp: boolean | undefined } = { isUp: undefined }
  const limiter = overrides.limiter ?? (await chooseLimiter(config, log, (isUp) => (redis.isUp = isUp)))
  const sandbox = { db, key: sandboxKey(vault), webhookUrl: () => `${urls.listen}/webhooks/sandbox`, log }
  const [usedKeys, jobRuns] = [new UsedKeys(), new JobRuns()]
  const state = { isLeaving: false }
  const operations = everyOperation({ services, limiter })
  const front = await createFront(config, {
    ...{ services, database, log, operations, limiter, usedKeys, jobRuns, traces, sandbox },
    isRedisUp: () => redis.isUp,
    installKit: kit,
    cabinetDir: overrides.cabinetDir ?? builtCabinet,
    consoleDir: overrides.consoleDir ?? builtConsole,
    onUndeclared:
      overrides.onUndeclared ??
      ((operation, error) => log.error({ operation, error }, 'an undeclared error was answered')),
    isStopping: () => state.isLeaving,
  })
  const rounds = jobsOf(services, config, { usedKeys, sandbox, jobRuns })
  return {
    ...{ log, database, localAgent, services, operations, limiter, traces, scheduler, rounds, stopping },
    ...{ urls, state, ...front },
  }
}

export const startService = async (config: Config, overrides: Overrides = {}): Promise<RunningService> => {
  const parts = await joinParts(config, overrides)
  const { log, database, services, limiter, localAgent, scheduler, rounds, app, httpServer, urls } = parts
  const { host } = config
  const port = config.port === 0 ? await freePort(host) : config.port
  urls.listen = urlOf(config, port)
  urls.public = config.publicUrl ?? urls.listen
  const credentials = await loadEmbeddedDefault(config, services, limiter, urls.listen)
  if (localAgent) await letAgentIn(localAgent, app, services)
  await app.listen({ host, port })
  const backupDoor = await openBackupDoor(config.dataDir, database.engine, log)
  scheduler.start(rounds, overrides.hasIdleRounds)
  return {
    url: urls.listen,
    services,
    operations: parts.operations,
    operateWithin: operatingWithin(services, limiter),
    database,
    credentials,
    runJobs: async () => {
      await scheduler.rest()
      for (const round of rounds) await round.run()
      await scheduler.rest()
    },
    drain: async (hurry) => {
      parts.state.isLeaving = true
      httpServer.askToLeave()
      const drainMs = config.load.drainSeconds * 1000
      await setTimeout(drainMs, undefined, hurry && { signal: hurry }).catch(() => undefined)
    },
    stop: async () => {
      parts.state.isLeaving = true
      parts.stopping.abort()
      await backupDoor?.close()
      await localAgent?.stop()
      await scheduler.stop()
      await httpServer.close(patienceMs)
      await app.close()
      await services.mailer.close()
      await limiter.close()
      await parts.traces?.sink.close()
      await database.close()
    },
  }
}
