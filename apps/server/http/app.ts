import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '@sallyport/contract/errors'
import { usualBodyLimitBytes } from '@sallyport/contract/operation'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { causedBy, currentCause } from '../db/cause.ts'
import { usualMostValues } from '../operations/checked-values.ts'
import { UnreadableBody } from '../operations/operation-input.ts'
import type { Clock } from '../ports/clock.ts'
import type { HttpServer } from './connections/http-server.ts'
import { requestIdHeader } from './connections/request-id.ts'
import { answerToNonsense, handleErrors, type OnUndeclared, refuseUnknown, sendError } from './failures.ts'
import { type FollowParts, followRequests, nameRequest } from './follow.ts'
import { QuietLog } from './quiet-log.ts'
import { parseJson } from './wire/json.ts'

/** Names and values alternate in rawHeaders. */
const countHosts = (rawHeaders: readonly string[]): number => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

/** A body of any kind that turns out to be none, as clients send that name a type and have nothing to say. */
const refuseBytes = (app: FastifyInstance): void => {
  app.addContentTypeParser('*', (_request, payload, done) => {
    const accept = () => done(null, undefined)
    payload.once('error', done)
    payload.once('end', accept)
    payload.once('data', () => {
      payload
        .off('end', accept)
        .off('error', done)
        .on('error', () => undefined)
      done(new ApiError('UNSUPPORTED_MEDIA_TYPE'))
    })
  })
}

/** No bytes are no body, whatever type they are said to be of; a type that cannot be read is any type. */
const forgetEmptyType = (headers: IncomingHttpHeaders): void => {
  const type = headers['content-type']
  if (type === undefined) return
  const isEmpty = (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined
  if (isEmpty) delete headers['content-type']
  else if (!type.includes('/')) headers['content-type'] = 'application/octet-stream'
}

/** Express-style smuggling tricks end here: one Host, and a body only as JSON. */
const guardRequests = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Agents report about thousands of customers; nobody else has so much to say.
    const { row } = request.routeOptions.config
    const mostValues = row?.auth === 'agent' ? body.length : usualMostValues
    try {
      done(null, body.length === 0 ? undefined : parseJson(body as Buffer, mostValues))
    } catch (error) {
      if (row) done(null, new UnreadableBody(error))
      else done(error as Error)
    }
  })
  refuseBytes(app)
  app.addHook('onRequest', (request, _reply, done) => {
    forgetEmptyType(request.raw.headers)
    const isTwice = countHosts(request.raw.rawHeaders) > 1
    done(isTwice ? new ApiError('BAD_REQUEST', [{ path: 'Host', problem: 'is given twice' }]) : undefined)
  })
}

type AnyHandler = (...args: never[]) => unknown

/** Every piece of work that a route does for a request passes the server's admission, and stands in line for as long as it takes. */
const countWork = (app: FastifyInstance, httpServer: HttpServer): void => {
  const wrapped = <F extends AnyHandler>(piece: 'work' | 'answer', run: F): F =>
    function (this: unknown, request: FastifyRequest, ...rest: unknown[]) {
      return causedBy(request.cause, () =>
        httpServer[piece](request.raw, async () => run.apply(this, [request, ...rest] as never)),
      )
    } as unknown as F
  app.addHook('onRoute', (route) => {
    route.handler = wrapped('answer', route.handler)
    if (typeof route.onRequest === 'function')
      route.onRequest = wrapped('work', route.onRequest as AnyHandler) as never
  })
}

/** Secrets in addresses stay out of the log, and so does what operators search for. */
const safeUrl = (url: string | undefined): string | undefined =>
  url?.replace(/^\/(sub|pay)\/[^/?]+/, '/$1/…').replace(/^(\/operator\/[^?]*)\?.*/, '$1?…')

export const logOptions = (level: string) => ({
  level,
  /** Whatever is said while a request is answered, or a job runs, names it. */
  mixin: () => {
    const cause = currentCause()
    return cause ? { request_id: cause.id } : {}
  },
  redact: [
    'req.headers.authorization',
    'req.headers.cookie',
    '*.api_key',
    '*.session_token',
    '*.refresh_token',
    '*.token',
    '*.password',
  ],
  serializers: {
    req: (request: { method: string; url: string; ip?: string }) => ({
      method: request.method,
      url: safeUrl(request.url),
    }),
  },
})

export interface AppOptions {
  readonly logger: FastifyBaseLogger
  readonly clock: Clock
  readonly trustedProxies: readonly string[]
  readonly onUndeclared: OnUndeclared
  readonly httpServer: HttpServer
  readonly follow: FollowParts
}

export const createApp = (options: AppOptions): FastifyInstance => {
  const { logger, clock, trustedProxies, onUndeclared, httpServer, follow } = options
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: usualBodyLimitBytes,
    serverFactory: (answer) => httpServer.createServer(answer),
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: false },
    genReqId: nameRequest,
    // The server waits for those inside; what comes before they have left is answered.
    return503OnClosing: false,
    // What the router itself refuses, before there is a route: broken or endless addresses.
    frameworkErrors: (_error, request, reply) => {
      const error = new ApiError('BAD_REQUEST', [{ path: '', problem: 'the address cannot be read' }])
      request.log.debug({ request_id: request.id }, 'an address was refused')
      reply.headers(httpServer.headers).header(requestIdHeader, request.id)
      sendError(reply as FastifyReply, error)
    },
    clientErrorHandler: (error, socket) =>
      httpServer.hangUp(socket, answerToNonsense(error, httpServer.headerLines)),
  })
  // A logger for each request costs more than routing it, and only failures are logged: they name the request.
  app.setChildLoggerFactory((parent) => parent)
  app.decorateRequest('actor', undefined)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(httpServer.headers)
    done()
  })
  followRequests(app, follow)
  guardRequests(app)
  countWork(app, httpServer)
  handleErrors(app, new QuietLog(logger, clock), onUndeclared)
  refuseUnknown(app)
  return app
}
