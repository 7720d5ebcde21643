import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { RefusedCounters } from '../../core/fleet/traffic-plausibility.ts'
import { sameBytes, sha256 } from '../../core/kernel/vault.ts'
import type { HttpServer } from './http-server.ts'

export interface HealthParts {
  readonly metricsToken: string | undefined
  /** Whether loopback may be somebody else's request, brought by a proxy. */
  readonly isBehindProxy: boolean
  readonly isStopping: () => boolean
  /** On a way of its own, that others cannot take. */
  readonly checkDatabase: () => Promise<unknown>
  readonly httpServer: HttpServer
  readonly refusedCounters: RefusedCounters
}

const loopback = /^(127\.|::1$|::ffff:127\.)/
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/** Somebody on this machine, and nobody for whom a proxy on this machine asks. */
const isLocal = (request: FastifyRequest): boolean =>
  loopback.test(request.raw.socket.remoteAddress ?? '') &&
  !forwarding.some((name) => request.headers[name] !== undefined)

/** Liveness, readiness, and Prometheus metrics (for loopback, or with the token). */
export const healthRoutes = (app: FastifyInstance, parts: HealthParts): void => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'sallyport_http_request_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  const gauges = [
    ['sallyport_http_connections', 'Open connections', () => parts.httpServer.connections],
    ['sallyport_http_waiting_requests', 'Requests that are being worked on', () => parts.httpServer.waiting],
  ] as const
  for (const [name, help, read] of gauges) {
    const collect = (): void => gauge.set(read())
    const gauge = new Gauge({ name, help, registers: [registry], collect })
  }
  const refused = new Counter({
    name: 'sallyport_refused_counters_total',
    help: 'Counters of traffic that nodes told and were not believed',
    labelNames: ['reason'],
    registers: [registry],
    collect: () => {
      refused.reset()
      for (const [reason, count] of parts.refusedCounters.entries()) refused.inc({ reason }, count)
    },
  })
  // Finding a series by its labels costs more than counting in it, so each is found once.
  const series = new Map<string, Histogram.Internal<string>>()
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'unknown'
    const key = `${method} ${route} ${reply.statusCode}`
    let observed = series.get(key)
    if (!observed) {
      observed = duration.labels(method, route, String(reply.statusCode))
      series.set(key, observed)
    }
    observed.observe(reply.elapsedTime / 1000)
    done()
  })

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (parts.isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await parts.checkDatabase()
      return { status: 'ready' }
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' })
    }
  })
  app.get('/metrics', async (request, reply) => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    const hasToken =
      parts.metricsToken !== undefined &&
      token !== undefined &&
      sameBytes(sha256(token), sha256(parts.metricsToken))
    const isOpen = !parts.isBehindProxy && isLocal(request)
    if (!hasToken && !isOpen) return reply.code(404).send('Not found\n')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
