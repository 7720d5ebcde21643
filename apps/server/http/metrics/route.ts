import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sameBytes, sha256 } from '../../core/kernel/vault.ts'

export interface MetricsRouteParts {
  readonly metricsToken: string | undefined
  /** Whether loopback may be somebody else's request, brought by a proxy. */
  readonly isBehindProxy: boolean
  readonly metrics: () => Promise<string>
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

/** Prometheus metrics, for loopback or with the token. */
export const metricsRoute = (app: FastifyInstance, parts: MetricsRouteParts): void => {
  app.get('/metrics', async (request, reply) => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    const hasToken =
      parts.metricsToken !== undefined &&
      token !== undefined &&
      sameBytes(sha256(token), sha256(parts.metricsToken))
    const isOpen = !parts.isBehindProxy && isLocal(request)
    if (!hasToken && !isOpen) return reply.code(404).send('Not found\n')
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await parts.metrics())
  })
}
