import { ApiError, commonErrors, type ErrorName, errors } from '@sallyport/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { failureBody, toApiError } from './envelope.ts'
import { isApi } from './front-door.ts'
import type { QuietLog } from './quiet-log.ts'

/** What callers get when something goes wrong, and what the log gets of it. */

export const jsonType = 'application/json; charset=utf-8'

/** Called when an operation answers with an error its row does not declare: our mistake, never the caller's. */
export type OnUndeclared = (operation: string, error: ErrorName) => void

export const sendError = (reply: FastifyReply, error: ApiError): FastifyReply =>
  reply
    .code(errors[error.code].status)
    .header('content-type', jsonType)
    .send(failureBody(error.code, error.details))

const checkDeclared = (request: FastifyRequest, error: ApiError, onUndeclared: OnUndeclared): void => {
  const row = request.routeOptions?.config.row
  if (!row || commonErrors.includes(error.code) || row.errors.includes(error.code)) return
  onUndeclared(`${row.method} ${row.path}`, error.code)
}

/** The caller hung up before the whole request was here. */
const isGivenUp = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete

/** Our own mistakes are told each time, what many requests meet at once is told once a minute. */
const logFailure = (quiet: QuietLog, request: FastifyRequest, thrown: unknown, error: ApiError): void => {
  if (isGivenUp(request)) quiet.info('callers hung up in the middle of their requests')
  else if (error.code === 'UNAVAILABLE') quiet.warn('requests could not be answered', thrown)
  else if (errors[error.code].status >= 500)
    request.log.error({ err: thrown, reqId: request.id }, 'request failed')
}

export const handleErrors = (app: FastifyInstance, quiet: QuietLog, onUndeclared: OnUndeclared): void => {
  app.setErrorHandler((thrown, request, reply) => {
    const error = toApiError(thrown)
    logFailure(quiet, request, thrown, error)
    if (error.code === 'UNAVAILABLE') reply.header('retry-after', 1)
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
    checkDeclared(request, error, onUndeclared)
    return sendError(reply, error)
  })
  app.setNotFoundHandler((request, reply) => {
    if (isApi(request.raw.url)) return sendError(reply, new ApiError('NOT_FOUND'))
    return reply
      .code(404)
      .type('text/plain; charset=utf-8')
      .send('Not found. The API reference is at /docs\n')
  })
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** The routes of an app as they are added: address and methods. */
export type Served = Map<string, Set<string>>

export const watchRoutes = (app: FastifyInstance): Served => {
  const served: Served = new Map()
  app.addHook('onRoute', ({ url, method }) => {
    const known = served.get(url) ?? new Set()
    served.set(url, known)
    for (const one of [method].flat()) known.add(one)
  })
  return served
}

const refuseMethod =
  (url: string, allow: string) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const problem = `this address takes ${allow}, not ${request.method}`
    reply.header('allow', allow)
    if (isApi(url)) return sendError(reply, new ApiError('METHOD_NOT_ALLOWED', [{ path: '', problem }]))
    return reply.code(405).type('text/plain; charset=utf-8').send(`Not allowed: ${problem}\n`)
  }

/** To be called after all routes: a known address asked in another way is told the ways there are. */
export const refuseOtherMethods = (app: FastifyInstance, served: Served): void => {
  for (const [url, known] of [...served]) {
    const refuse = refuseMethod(url, [...known].sort().join(', '))
    const others = methods.filter((method) => !known.has(method))
    // Before anything is read of what came with it.
    app.route({ method: others, url, exposeHeadRoute: false, onRequest: refuse, handler: refuse })
  }
}

const rawAnswer = (status: string, name: ErrorName, problem: string, headers: string): string => {
  const body = failureBody(name, [{ path: '', problem }])
  return `HTTP/1.1 ${status}\r\n${headers}Content-Type: ${jsonType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
}

/** The last answer to a connection whose bytes could not be read as a request. `headers` end each with a line break. */
export const answerToNonsense = (error: { readonly code?: string }, headers: string): string => {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return rawAnswer('408 Request Timeout', 'REQUEST_TIMEOUT', 'the request came too slowly', headers)
    case 'HPE_HEADER_OVERFLOW':
      return rawAnswer('400 Bad Request', 'BAD_REQUEST', 'the headers are too large', headers)
    default:
      return rawAnswer('400 Bad Request', 'BAD_REQUEST', 'this is not valid HTTP', headers)
  }
}
