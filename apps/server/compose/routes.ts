import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { CabinetSettingsCache } from '../core/cabinet/cabinet-settings.ts'
import type { Services } from '../core/call.ts'
import { closesConnectionsOfSessions } from '../features/cabinet/connections.ts'
import { cabinetRoutes } from '../features/cabinet/routes.ts'
import { consoleAppRoutes } from '../features/console/app-routes.ts'
import { consoleRoutes } from '../features/console/routes.ts'
import { deliveryRoutes } from '../features/delivery/routes.ts'
import type { KeptKit } from '../features/install/kit.ts'
import { installRoutes } from '../features/install/routes.ts'
import { sandboxRoutes } from '../features/sandbox/routes.ts'
import { webhookRoutes } from '../features/webhooks/routes.ts'
import { healthRoutes } from '../http/connections/health.ts'
import { probeRoutes } from '../http/connections/probe.ts'
import { docsRoutes } from '../http/docs/routes.ts'
import { iconRoute } from '../http/icon.ts'
import { metricsRoute } from '../http/metrics/route.ts'
import { type PipelineParts, serveOperations } from '../http/pipeline.ts'
import type { Operations } from './operations.ts'
import { readCabinet, readConsole } from './web.ts'

/** Every address the service answers at. */

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]']

/** Customers who come under another name than this machine's own come through a proxy. */
const isBehindProxy = ({ publicUrl, trustedProxies }: Config): boolean =>
  trustedProxies.length > 0 ||
  (publicUrl !== undefined && !loopbackHosts.includes(new URL(publicUrl).hostname))

export interface RoutesParts {
  readonly services: Services
  readonly operations: Operations
  readonly pipeline: PipelineParts
  readonly isStopping: () => boolean
  readonly checkDatabase: () => Promise<void>
  readonly metrics: () => Promise<string>
  /** Where the web app was built. */
  readonly cabinetDir: string
  readonly consoleDir: string
  readonly installKit: KeptKit
  readonly deliverSandbox: (paymentId: string) => Promise<void>
}

export const serveEverything = (app: FastifyInstance, config: Config, parts: RoutesParts): void => {
  const { services, operations, pipeline, isStopping, checkDatabase, deliverSandbox } = parts
  const { limiter } = pipeline
  const { db, clock, log, publicUrl } = services
  const settings = new CabinetSettingsCache(db)
  healthRoutes(app, { isStopping, checkDatabase })
  metricsRoute(app, {
    metricsToken: config.metricsToken,
    isBehindProxy: isBehindProxy(config),
    metrics: parts.metrics,
  })
  probeRoutes(app, services)
  closesConnectionsOfSessions(app, settings)
  serveOperations(app, pipeline, Object.values(operations))
  deliveryRoutes(app, services, limiter, publicUrl)
  docsRoutes(app, limiter, publicUrl)
  consoleRoutes(app, limiter, publicUrl)
  const web = { limiter, clock, publicUrl }
  cabinetRoutes(app, { ...web, build: readCabinet(parts.cabinetDir, log), settings })
  const name = async () => (await settings.latest()).name
  consoleAppRoutes(app, { ...web, build: readConsole(parts.consoleDir, log), name })
  iconRoute(app)
  webhookRoutes(app, services, limiter)
  installRoutes(app, { kit: parts.installKit, limiter, publicUrl, log })
  if (config.payments.sandbox) sandboxRoutes(app, { db, clock, limiter, log, deliver: deliverSandbox })
}
