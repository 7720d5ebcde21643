import { setTimeout } from 'node:timers/promises'
import type { OrderedProduct } from '@sallyport/contract/products'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { webhookPoster } from './adapters/webhooks/post-webhook.ts'
import { builtCabinet } from './compose/cabinet.ts'
import { opensClouds } from './compose/clouds.ts'
import { chooseClock, openWithKey, takeKey, tellCapacity } from './compose/database.ts'
import { demoOperations } from './compose/demo.ts'
import { addressesIn, createHttpServer } from './compose/http-server.ts'
import { chooseIdentityProviders, chooseMailer } from './compose/identity.ts'
import { agentKitOf, installKit } from './compose/install.ts'
import { jobsOf } from './compose/jobs.ts'
import { chooseLimiter } from './compose/limiter.ts'
import { operatingWithin } from './compose/operate.ts'
import { everyOperation, type Operations } from './compose/operations.ts'
import { chooseProviders, sandboxKey } from './compose/providers.ts'
import { serveEverything } from './compose/routes.ts'
import { Scheduler } from './compose/scheduler.ts'
import { metricsOf } from './compose/seeing/metrics.ts'
import { chooseTraces, tracedPost } from './compose/seeing/traces.ts'
import { openXrayReader } from './compose/xray.ts'
import type { Config } from './config.ts'
import { UsedKeys } from './core/accounts/credentials.ts'
import { SessionTokens } from './core/accounts/session-tokens.ts'
import { JobRuns } from './core/alerts/job-runs.ts'
import type { Services } from './core/call.ts'
import { SubscriptionFetches } from './core/delivery/subscription-fetches.ts'
import { RefusedCounters } from './core/fleet/traffic-plausibility.ts'
import { Bus } from './core/kernel/bus.ts'
import type { Product } from './core/sales/products.ts'
import { countCaches } from './core/seeing/cache-counts.ts'
import { mayDial } from './core/webhooks/endpoint-address.ts'
import type { Database } from './db/client.ts'
import { cloudProduct } from './features/cloud-servers/product.ts'
import { configProduct } from './features/configs/product.ts'
import { optionProduct } from './features/paid-options/product.ts'
import { balanceProduct } from './features/profile/balance-product.ts'
import { deliverSandboxEvents } from './features/sandbox/delivery.ts'
import { createApp, logOptions } from './http/app.ts'
import { Authenticator } from './http/callers/auth.ts'
import type { OnUndeclared } from './http/failures.ts'
import { machineFigures } from './http/metrics/machine-figures.ts'
import { RequestTimes } from './http/metrics/request-times.ts'
import { openBackupDoor } from './local/backup/door.ts'
import { type Credentials, writeCredentials } from './local/credentials.ts'
import { demoNode, isNodeOnline, loadDemo } from './local/demo/demo.ts'
import { freePort } from './local/free-port.ts'
import { LocalAgent } from './local/local-agent.ts'
import type { OperateWithin } from './operations/operate.ts'
import type { AgentKit } from './ports/agent-kit.ts'
import type { Clock } from './ports/clock.ts'
import type { Limiter } from './ports/limiter.ts'

/** The composition root: the only place where the parts are chosen and joined. */

type Environment = Readonly<Record<string, string | undefined>>

/** How long the start waits for the local agent before it goes on without. */
const agentPatienceMs = 5000
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
  /** Instead of what this machine would hand out. */
  readonly agentKit?: AgentKit
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

/** Everything that can be ordered. */
const products: Readonly<Record<OrderedProduct, Product>> = {
  configs: configProduct,
  cloud_servers: cloudProduct,
  paid_options: optionProduct,
  balance: balanceProduct,
}

/** The embedded default's demo catalogue and credentials.json; production has neither. */
const loadEmbeddedDefault = async (config: Config, services: Services, limiter: Limiter, url: string) => {
  const { db, vault, clock } = services
  if (config.databaseUrl) return undefined
  await loadDemo({
    db,
    vault,
    now: clock.now(),
    operateWithin: demoOperations(services, limiter),
    address: new URL(url).hostname.replaceAll(/[[\]]/g, ''),
    listenAddress: config.host,
  })
  return writeCredentials(services, config.dataDir, `${url}/v1`)
}

/** The public address opens once the local agent's servers are online, so that whoever can connect can also buy. */
const letAgentIn = async (
  agent: LocalAgent,
  app: FastifyInstance,
  { db, clock, log }: Services,
): Promise<void> => {
  const node = await demoNode(db, clock.now())
  if (!node) return
  await agent.serve((request, response) => app.routing(request, response), node)
  if (await isNodeOnline(db, node.id, clock, agentPatienceMs)) return
  log.warn({}, 'the local agent has not reported yet; its servers are offline until it does')
}

/** Where it listens, as this machine reaches it. */
export const urlOf = (config: Config, port: number): string => {
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

export const startService = async (config: Config, overrides: Overrides = {}): Promise<RunningService> => {
  const log = pino(logOptions(config.logLevel), overrides.logTo)
  const { dataDir } = config
  const key = takeKey(config)
  const { vault } = key
  const localAgent = config.localAgent
    ? await LocalAgent.open({ dataDir, env: overrides.agentEnv ?? {}, log })
    : undefined
  const { database } = await openWithKey(config, key, (wait) =>
    log.warn(wait, 'a migration waits for a table that others hold'),
  ).catch(async (error: unknown) => {
    await localAgent?.stop()
    throw error
  })
  const { db } = database
  const bus = new Bus()
  await bus.start(database)
  await tellCapacity(database, log)

  const stopping = new AbortController()
  const clock = overrides.clock ?? (await chooseClock(config, db, log, stopping.signal))
  const sessions = new SessionTokens(vault, clock)
  let url = config.publicUrl ?? ''
  const publicUrl = () => url
  const traces = chooseTraces(config, log)
  const tracer = traces?.tracer
  const scheduler = new Scheduler(log, tracer)
  const post = webhookPoster({ mayDial: mayDial(config.webhooksToLoopback) })
  const kit = installKit(config)
  const services: Services = {
    db,
    olderDb: database.olderDb,
    clock,
    vault,
    bus,
    sessions,
    log,
    providers: chooseProviders(config.payments, {
      db,
      vault,
      clock,
      publicUrl,
      isTraced: tracer !== undefined,
    }),
    products: new Map(Object.values(products).map((product) => [product.name, product])),
    openCloud: opensClouds(config.clouds),
    mailer: chooseMailer(config, log),
    identityProviders: chooseIdentityProviders(config),
    telegram: config.identity.telegram,
    xray: openXrayReader(config, log),
    postWebhook: tracer ? tracedPost(post) : post,
    webhooksToLoopback: config.webhooksToLoopback,
    refusedCounters: new RefusedCounters(),
    caches: countCaches(),
    fetches: new SubscriptionFetches(),
    publicUrl,
    agentKit: overrides.agentKit ?? agentKitOf(kit),
    kick: scheduler.kick,
    stopping: stopping.signal,
  }
  const usedKeys = new UsedKeys()
  let isRedisUp: boolean | undefined
  const limiter = overrides.limiter ?? (await chooseLimiter(config, log, (isUp) => (isRedisUp = isUp)))
  const used = { onKeyUsed: usedKeys.add, onTokenUsed: usedKeys.addOperatorToken }
  const authenticator = new Authenticator({
    db,
    vault,
    bus,
    clock,
    sessions,
    ...used,
    count: services.caches.credentials,
  })
  const onUndeclared =
    overrides.onUndeclared ??
    ((operation, error) => log.error({ operation, error }, 'an undeclared error was answered'))

  const httpServer = createHttpServer(config)
  const times = new RequestTimes()
  const jobRuns = new JobRuns()
  const app = createApp({
    logger: log,
    clock,
    trustedProxies: config.trustedProxies,
    onUndeclared,
    httpServer,
    follow: { times, tracer, isProxy: addressesIn(config.trustedProxies) },
  })
  const operations = everyOperation({ services, limiter })
  let isLeaving = false
  let listenUrl = ''
  const webhookUrl = () => `${listenUrl}/webhooks/sandbox`
  const sandbox = { db, key: sandboxKey(vault), webhookUrl, log }
  serveEverything(app, config, {
    services,
    operations,
    pipeline: { clock, authenticator, limiter, httpServer, publicUrl: services.publicUrl },
    isStopping: () => isLeaving,
    checkDatabase: () => database.engine.check(),
    metrics: metricsOf({
      services,
      database,
      httpServer,
      times,
      jobRuns,
      sink: traces?.sink,
      isRedisUp: () => isRedisUp,
      readMachine: machineFigures(config, db),
    }),
    cabinetDir: overrides.cabinetDir ?? builtCabinet,
    installKit: kit,
    deliverSandbox: (paymentId) => deliverSandboxEvents(sandbox, clock.now(), paymentId),
  })
  await app.ready()
  const port = config.port === 0 ? await freePort(config.host) : config.port
  listenUrl = urlOf(config, port)
  url = config.publicUrl ?? listenUrl
  const credentials = await loadEmbeddedDefault(config, services, limiter, listenUrl)
  if (localAgent) await letAgentIn(localAgent, app, services)
  await app.listen({ host: config.host, port })
  const backupDoor = await openBackupDoor(dataDir, database.engine, log)
  const rounds = jobsOf(services, config, { usedKeys, sandbox, jobRuns })
  scheduler.start(rounds)
  return {
    url: listenUrl,
    services,
    operations,
    operateWithin: operatingWithin(services, limiter),
    database,
    credentials,
    runJobs: async () => {
      await scheduler.rest()
      for (const round of rounds) await round.run()
      await scheduler.rest()
    },
    drain: async (hurry) => {
      isLeaving = true
      httpServer.askToLeave()
      await setTimeout(config.load.drainSeconds * 1000, undefined, hurry && { signal: hurry }).catch(
        () => undefined,
      )
    },
    stop: async () => {
      isLeaving = true
      stopping.abort()
      await backupDoor?.close()
      await localAgent?.stop()
      await scheduler.stop()
      await httpServer.close(patienceMs)
      await app.close()
      await services.mailer.close()
      await limiter.close()
      await traces?.sink.close()
      await database.close()
    },
  }
}
