import type { OperationTable } from '@sallyport/contract/operation'
import { type Table, tables } from '@sallyport/contract/tables'
import type { FastifyInstance } from 'fastify'
import { CompiledQuery } from 'kysely'
import type { Config } from '../config.ts'
import type { Handlers } from '../core/call.ts'
import { agentHandlers } from '../features/agents/handlers.ts'
import { cloudServerHandlers } from '../features/cloud-servers/handlers.ts'
import { configHandlers } from '../features/configs/handlers.ts'
import { customSubscriptionHandlers } from '../features/custom-subscriptions/handlers.ts'
import { deliveryRoutes } from '../features/delivery/routes.ts'
import { deviceHandlers } from '../features/devices/handlers.ts'
import { authTableHandlers, sessionTableHandlers } from '../features/identity/handlers.ts'
import { installRoutes } from '../features/install/routes.ts'
import { locationHandlers } from '../features/locations/handlers.ts'
import {
  operatorCloudHandlers,
  operatorDeliveryHandlers,
  operatorHandlers,
  operatorMoneyHandlers,
  operatorOfficeHandlers,
  operatorPaidOptionHandlers,
} from '../features/operator/handlers.ts'
import { paidOptionHandlers } from '../features/paid-options/handlers.ts'
import { profileHandlers } from '../features/profile/handlers.ts'
import { sandboxRoutes } from '../features/sandbox/routes.ts'
import { webhookRoutes } from '../features/webhooks/routes.ts'
import { docsRoutes } from '../http/docs/routes.ts'
import type { FrontDoor } from '../http/door/front-door.ts'
import { healthRoutes } from '../http/door/health.ts'
import { type PipelineParts, serveTable } from '../http/pipeline.ts'
import { installKit } from './install.ts'

/** Every address the service answers at. */

/** A table without handlers does not compile. */
type HandlersByTable = { readonly [T in Table as T['name']]: Handlers<T['rows']> }

const handlersByTable: HandlersByTable = {
  configs: configHandlers,
  'cloud-servers': cloudServerHandlers,
  'paid-options': paidOptionHandlers,
  'custom-subscriptions': customSubscriptionHandlers,
  locations: locationHandlers,
  profile: profileHandlers,
  devices: deviceHandlers,
  auth: authTableHandlers,
  session: sessionTableHandlers,
  operator: operatorHandlers,
  'operator-money': operatorMoneyHandlers,
  'operator-office': operatorOfficeHandlers,
  'operator-paid-options': operatorPaidOptionHandlers,
  'operator-clouds': operatorCloudHandlers,
  'operator-delivery': operatorDeliveryHandlers,
  agent: agentHandlers,
}

const serveTables = (app: FastifyInstance, parts: PipelineParts): void => {
  for (const { name, base, rows } of tables) {
    serveTable<OperationTable>(app, parts, base, rows, handlersByTable[name] as Handlers<OperationTable>)
  }
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]']

/** Customers who come under another name than this machine's own come through a proxy. */
const isBehindProxy = ({ publicUrl, trustedProxies }: Config): boolean =>
  trustedProxies.length > 0 ||
  (publicUrl !== undefined && !loopbackHosts.includes(new URL(publicUrl).hostname))

export interface RoutesParts {
  readonly pipeline: PipelineParts
  readonly isStopping: () => boolean
  readonly deliverSandbox: (paymentId: string) => Promise<void>
  readonly door: FrontDoor
}

export const serveEverything = (app: FastifyInstance, config: Config, parts: RoutesParts): void => {
  const { pipeline, isStopping, deliverSandbox, door } = parts
  const { services, limiter } = pipeline
  const { db, clock, log, publicUrl } = services
  healthRoutes(app, {
    metricsToken: config.metricsToken,
    isBehindProxy: isBehindProxy(config),
    isStopping,
    checkDatabase: () => db.executeQuery(CompiledQuery.raw('select 1')),
    door,
  })
  serveTables(app, pipeline)
  deliveryRoutes(app, services, limiter, publicUrl)
  docsRoutes(app, publicUrl)
  webhookRoutes(app, services, limiter)
  installRoutes(app, { kit: installKit(config), limiter, publicUrl, log })
  if (config.payments.sandbox) sandboxRoutes(app, { db, clock, limiter, log, deliver: deliverSandbox })
}
