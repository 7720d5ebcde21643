import { ApiError, commonErrors, type ErrorName, errors, type Problem } from '@sallyport/contract/errors'
import { basePaths, ownErrorsOf } from '@sallyport/contract/operation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isApi, pathOf } from './connections/admission-limit.ts'
import { isBrowser, sendLostPage } from './lost.ts'
import { inWordsOf, namesField } from './named-fields.ts'
import { inRussian, isRussianAsked } from './problems/in-russian.ts'
import type { QuietLog } from './quiet-log.ts'
import { failureBody, toApiError } from './wire/envelope.ts'

/** What callers get when something goes wrong, and what the log gets of it. */

export const jsonType = 'application/json; charset=utf-8'

/**
 * Called when an operation answers with an error its row does not declare, or complains of a field that its request does
 * not have: our mistake, never the caller's.
 */
export type OnUndeclared = (operation: string, what: string) => void

export const sendError = (reply: FastifyReply, error: ApiError): FastifyReply =>
  reply
    .code(errors[error.code].status)
    .header('content-type', jsonType)
    .send(failureBody(error.code, error.details, error.data))

const checkDeclared = (request: FastifyRequest, error: ApiError, onUndeclared: OnUndeclared): void => {
  const row = request.routeOptions?.config.row
  if (!row) return
  const isDeclared = [...commonErrors, ...ownErrorsOf(row)].includes(error.code)
  const strays = (error.details ?? []).filter(({ path }) => !namesField(row, request, path))
  const wrong = [...(isDeclared ? [] : [error.code]), ...strays.map(({ path }) => `a complaint of ${path}`)]
  for (const what of wrong) onUndeclared(`${row.method} ${row.path}`, what)
}

const withDetails = (
  { code, details, retryAfterSeconds, limit, data }: ApiError,
  change: (problem: Problem) => Problem,
): ApiError => new ApiError(code, details?.map(change), retryAfterSeconds, limit, data)

const inRequestWords = (request: FastifyRequest, error: ApiError): ApiError => {
  const row = request.routeOptions?.config.row
  return row && error.details ? withDetails(error, (problem) => inWordsOf(row, request, problem)) : error
}

/** Customers' own; what runs the service speaks English. */
const inRequestLanguage = ({ url, headers }: FastifyRequest, error: ApiError): ApiError =>
  error.details && url.startsWith(`${basePaths.v1}/`) && isRussianAsked(headers['accept-language'])
    ? withDetails(error, inRussian)
    : error

/** The caller hung up before the whole request was here. */
const isGivenUp = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete

/** Our own mistakes are told each time, what many requests meet at once is told once a minute. */
const logFailure = (quiet: QuietLog, request: FastifyRequest, thrown: unknown, error: ApiError): void => {
  if (isGivenUp(request)) quiet.info('callers hung up in the middle of their requests')
  else if (error.code === 'UNAVAILABLE') quiet.warn('requests could not be answered', thrown, request.id)
  else if (errors[error.code].status >= 500)
    request.log.error({ err: thrown, request_id: request.id }, 'request failed')
}

export const handleErrors = (app: FastifyInstance, quiet: QuietLog, onUndeclared: OnUndeclared): void => {
  app.setErrorHandler((thrown, request, reply) => {
    const error = inRequestWords(request, toApiError(thrown))
    logFailure(quiet, request, thrown, error)
    if (error.code === 'UNAVAILABLE') reply.header('retry-after', 1)
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
    checkDeclared(request, error, onUndeclared)
    return sendError(reply, inRequestLanguage(request, error))
  })
}

/** An address, as the router knows it, and what it takes. */
interface Known {
  readonly url: string
  readonly pattern: RegExp
  readonly methods: Set<string>
}

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`)

const memoised = <T>(find: (key: string) => T): ((key: string) => T) => {
  const kept = new Map<string, T>()
  return (key) => {
    const known = kept.get(key)
    if (known !== undefined) return known
    const found = find(key)
    kept.set(key, found)
    return found
  }
}

const sendText = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).type('text/plain; charset=utf-8').send(text)

/**
 * Addresses that are not there, and those that are and take other methods. Called before the routes are added; answers
 * before anything is read of what came with the request.
 */
export const refuseUnknown = (app: FastifyInstance): void => {
  const known = new Map<string, Known>()
  app.addHook('onRoute', ({ url, method }) => {
    const one = known.get(url) ?? { url, pattern: patternOf(url), methods: new Set() }
    known.set(url, one)
    for (const name of [method].flat()) one.methods.add(name)
  })
  /** Addresses with a word of their own where this one has a parameter. All are known when the first request comes. */
  const closerTo = memoised((url: string): readonly Known[] => {
    const { pattern } = known.get(url) ?? { pattern: patternOf(url) }
    return [...known.values()].filter((one) => pattern.test(one.url) && !one.pattern.test(url))
  })
  const isCloserAt = (url: string, path: string): boolean =>
    closerTo(url).some(({ pattern }) => pattern.test(path))
  const methodsAt = (path: string): string[] => {
    const matching = [...known.values()].filter(({ pattern }) => pattern.test(path))
    const there = matching.filter(({ url }) => !isCloserAt(url, path))
    return [...new Set(there.flatMap(({ methods }) => [...methods]))].sort()
  }
  const refuse = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const url = request.raw.url ?? ''
    const taken = methodsAt(pathOf(url))
    const allow = taken.join(', ')
    // A route that took the request and knows no such thing is as good as none.
    if (allow === '' || taken.includes(request.method)) {
      if (isApi(url)) return sendError(reply, new ApiError('NOT_FOUND'))
      if (isBrowser(request)) return sendLostPage(request, reply)
      return sendText(reply, 404, 'Not found. The API reference is at /docs\n')
    }
    const problem = `this address takes ${allow}, not ${request.method}`
    reply.header('allow', allow)
    if (isApi(url)) return sendError(reply, new ApiError('METHOD_NOT_ALLOWED', [{ path: '', problem }]))
    return sendText(reply, 405, `Not allowed: ${problem}\n`)
  }
  /** `settings` is no id: an address of its own is not another one's parameter, whatever the method. */
  const isMisread = ({ raw, routeOptions: { url } }: FastifyRequest): boolean =>
    url !== undefined && closerTo(url).length > 0 && isCloserAt(url, pathOf(raw.url ?? ''))
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || isMisread(request)) refuse(request, reply)
    else done()
  })
  app.setNotFoundHandler(refuse)
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
