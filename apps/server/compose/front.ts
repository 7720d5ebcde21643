import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { UsedKeys } from '../core/accounts/credentials.ts'
import type { JobRuns } from '../core/alerts/job-runs.ts'
import type { Services } from '../core/call.ts'
import type { Database } from '../db/client.ts'
import type { KeptKit } from '../features/install/kit.ts'
import { type DeliveryParts, deliverSandboxEvents } from '../features/sandbox/delivery.ts'
import { createApp } from '../http/app.ts'
import { Authenticator } from '../http/callers/auth.ts'
import type { HttpServer } from '../http/connections/http-server.ts'
import type { OnUndeclared } from '../http/failures.ts'
import { machineFigures } from '../http/metrics/machine-figures.ts'
import { RequestTimes } from '../http/metrics/request-times.ts'
import { readBackupStatus } from '../local/backup-status.ts'
import type { Limiter } from '../ports/limiter.ts'
import { addressesIn, createHttpServer } from './http-server.ts'
import type { Operations } from './operations.ts'
import { serveEverything } from './routes.ts'
import { metricsOf } from './seeing/metrics.ts'
import type { Traces } from './seeing/traces.ts'

/** What callers over HTTP meet: who they are, how many may come, and every address with its answer. */

export interface FrontParts {
  readonly services: Services
  readonly database: Database
  readonly log: Logger
  readonly operations: Operations
  readonly limiter: Limiter
  /** Undefined where there is no Redis. */
  readonly isRedisUp: () => boolean | undefined
  readonly usedKeys: UsedKeys
  readonly jobRuns: JobRuns
  readonly traces: Traces | undefined
  readonly sandbox: DeliveryParts
  readonly installKit: KeptKit
  readonly cabinetDir: string
  readonly consoleDir: string
  readonly onUndeclared: OnUndeclared
  readonly isStopping: () => boolean
}

export interface Front {
  readonly app: FastifyInstance
  readonly httpServer: HttpServer
}

const authenticatorOf = ({ services, usedKeys }: FrontParts): Authenticator => {
  const { db, vault, bus, clock, sessions, caches } = services
  return new Authenticator({
    db,
    vault,
    bus,
    clock,
    sessions,
    onKeyUsed: usedKeys.add,
    onTokenUsed: usedKeys.addOperatorToken,
    count: caches.credentials,
  })
}

/** Ready to listen. */
export const createFront = async (config: Config, parts: FrontParts): Promise<Front> => {
  const { services, database, limiter, traces, installKit, cabinetDir, consoleDir, sandbox, onUndeclared } =
    parts
  const { clock, publicUrl } = services
  const { dataDir, trustedProxies } = config
  const httpServer = createHttpServer(config)
  database.engine.onWait((seconds) => httpServer.waitedForDatabase(seconds * 1000))
  const times = new RequestTimes()
  const app = createApp({
    logger: parts.log,
    clock,
    trustedProxies,
    onUndeclared,
    httpServer,
    follow: { times, tracer: traces?.tracer, isProxy: addressesIn(trustedProxies) },
  })
  const readMachine = machineFigures(
    { ...config, lastBackupAt: () => readBackupStatus(dataDir)?.succeeded_at },
    database.db,
  )
  serveEverything(app, config, {
    services,
    operations: parts.operations,
    pipeline: { clock, authenticator: authenticatorOf(parts), limiter, httpServer, publicUrl },
    isStopping: parts.isStopping,
    checkDatabase: () => database.engine.check(),
    metrics: metricsOf({ ...parts, httpServer, times, sink: traces?.sink, readMachine }),
    cabinetDir,
    consoleDir,
    installKit,
    deliverSandbox: (paymentId) => deliverSandboxEvents(sandbox, clock.now(), paymentId),
  })
  await app.ready()
  return { app, httpServer }
}
