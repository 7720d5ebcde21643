import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Vault } from '../../core/kernel/vault.ts'
import { isProbe, probeHeader, probePath, type Seen } from '../../core/seeing/probe.ts'
import type { Clock } from '../../ports/clock.ts'

/** What `sallyport doctor` asks through the proxies: what comes of a request on its way here. To others there is no such address. */

/** As much as an agent may report at once. */
const maxBodyBytes = 1024 * 1024 + 1024
/** As long as an instance that stops lets requests finish. */
const mostWaitSeconds = 12

const headerOf = ({ headers }: FastifyRequest, name: string): string | null => {
  const value = headers[name]
  return value === undefined ? null : String(value).slice(0, 500)
}

const seenOf = (request: FastifyRequest): Seen => ({
  address: request.ip,
  peer: request.raw.socket.remoteAddress ?? '',
  forwarded_for: headerOf(request, 'x-forwarded-for'),
  forwarded_proto: headerOf(request, 'x-forwarded-proto'),
  request_id: headerOf(request, 'x-request-id'),
  host: headerOf(request, 'host'),
  body_bytes: (request.body as Buffer | undefined)?.length ?? 0,
})

export const probeRoutes = (
  app: FastifyInstance,
  { vault, clock }: { readonly vault: Vault; readonly clock: Clock },
): void => {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.addHook('onRequest', async (request, reply) => {
      if (!isProbe(vault, request.headers[probeHeader], clock.now())) reply.callNotFound()
    })
    // Answered late where that is asked for, as long polls are: a proxy may give up before.
    scope.get<{ Querystring: { wait_seconds?: string } }>(probePath, async (request, reply) => {
      const seconds = Math.min(Number(request.query.wait_seconds) || 0, mostWaitSeconds)
      if (seconds > 0) await setTimeout(seconds * 1000)
      reply.header('cache-control', 'no-store')
      return seenOf(request)
    })
    scope.post(probePath, { bodyLimit: maxBodyBytes }, async (request) => seenOf(request))
  })
}
