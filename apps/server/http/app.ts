import { ApiError, commonErrors, type ErrorName, errors } from '@sallyport/contract/errors'
import { basePaths, usualBodyLimitBytes } from '@sallyport/contract/operation'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { failureBody, toApiError } from './envelope.ts'
import { parseJson } from './json.ts'

const json = 'application/json; charset=utf-8'

/** Called when an operation answers with an error its row does not declare: our mistake, never the caller's. */
export type OnUndeclared = (operation: string, error: ErrorName) => void

const sendError = (reply: FastifyReply, error: ApiError): FastifyReply =>
  reply
    .code(errors[error.code].status)
    .header('content-type', json)
    .send(failureBody(error.code, error.details))

const checkDeclared = (request: FastifyRequest, error: ApiError, onUndeclared: OnUndeclared): void => {
  const row = request.routeOptions?.config.row
  if (!row || commonErrors.includes(error.code) || row.errors.includes(error.code)) return
  onUndeclared(`${row.method} ${row.path}`, error.code)
}

const handleErrors = (app: FastifyInstance, onUndeclared: OnUndeclared): void => {
  app.setErrorHandler((thrown, request, reply) => {
    const error = toApiError(thrown)
    if (errors[error.code].status >= 500)
      request.log.error({ err: thrown, reqId: request.id }, 'request failed')
    if (error.code === 'UNAVAILABLE') reply.header('retry-after', 1)
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
    checkDeclared(request, error, onUndeclared)
    return sendError(reply, error)
  })
  app.setNotFoundHandler((request, reply) => {
    const { url } = request.raw
    const isApi = Object.values(basePaths).some((base) => url?.startsWith(`${base}/`) || url === base)
    if (isApi) return sendError(reply, new ApiError('NOT_FOUND'))
    return reply
      .code(404)
      .type('text/plain; charset=utf-8')
      .send('Not found. The API reference is at /docs\n')
  })
}

/** Names and values alternate in rawHeaders. */
const countHosts = (rawHeaders: readonly string[]): number => {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

/** Express-style smuggling tricks end here: one Host, and a body only as JSON. */
const guardRequests = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, body.length === 0 ? undefined : parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const isTwice = countHosts(request.raw.rawHeaders) > 1
    done(isTwice ? new ApiError('BAD_REQUEST', [{ path: 'Host', problem: 'is given twice' }]) : undefined)
  })
}

/** Secrets in addresses stay out of the log. */
const safeUrl = (url: string | undefined): string | undefined => url?.replace(/^\/(sub|pay)\/[^/?]+/, '/$1/…')

export const logOptions = (level: string) => ({
  level,
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
  readonly trustedProxies: readonly string[]
  readonly onUndeclared: OnUndeclared
}

export const createApp = ({ logger, trustedProxies, onUndeclared }: AppOptions): FastifyInstance => {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: usualBodyLimitBytes,
    requestTimeout: 20_000,
    connectionTimeout: 75_000,
    keepAliveTimeout: 65_000,
    maxRequestsPerSocket: 0,
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: false },
    forceCloseConnections: 'idle',
    // What the router itself refuses, before there is a route: broken or endless addresses.
    frameworkErrors: (_error, request, reply) => {
      const error = new ApiError('BAD_REQUEST', [{ path: '', problem: 'the address cannot be read' }])
      request.log.debug({ reqId: request.id }, 'an address was refused')
      sendError(reply as FastifyReply, error)
    },
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) return
      const tooLarge = (error as { code?: string }).code === 'HPE_HEADER_OVERFLOW'
      const body = failureBody('BAD_REQUEST', [
        { path: '', problem: tooLarge ? 'the headers are too large' : 'this is not valid HTTP' },
      ])
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: ${json}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
    },
  })
  // A logger for each request costs more than routing it, and only failures are logged: they name the request.
  app.setChildLoggerFactory((parent) => parent)
  app.decorateRequest('actor', undefined)
  guardRequests(app)
  handleErrors(app, onUndeclared)
  return app
}
