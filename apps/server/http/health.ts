import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { sameBytes, sha256 } from '../core/vault.ts'

export interface HealthParts {
  readonly metricsToken: string | undefined
  readonly isStopping: () => boolean
  readonly checkDatabase: () => Promise<unknown>
}

const loopback = /^(127\.|::1$|::ffff:127\.)/

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
    const isLocal =
      loopback.test(request.raw.socket.remoteAddress ?? '') && request.ip === request.raw.socket.remoteAddress
    if (!hasToken && !isLocal) return reply.code(404).send('Not found\n')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
