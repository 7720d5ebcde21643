import { ApiError, tooManyRequests } from '@sallyport/contract/errors'
import {
  anonymousLimit,
  basePaths,
  cabinetHeader,
  consoleCookie,
  consoleHeader,
} from '@sallyport/contract/operation'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cabinetCookieName, cabinetCookieOf } from '../../core/cabinet-cookie.ts'
import { AnonymousLimit } from '../../core/kernel/credential-lookup.ts'
import { type Actor, visitorOf } from '../../operations/actor.ts'
import type { RunnableOperation } from '../../operations/run-operation.ts'
import type { Limiter, Taken } from '../../ports/limiter.ts'
import type { Authenticator } from './auth.ts'
import { cookieHeader, cookieOf } from './cookies.ts'

/** The first two steps of a request: who asks, and whether it may ask so much. */

/** Tells the caller how a bucket stands. */
const showTaken = (reply: FastifyReply, taken: Taken): void => {
  reply.raw.setHeader('x-ratelimit-limit', taken.limit)
  reply.raw.setHeader('x-ratelimit-remaining', taken.remaining)
  reply.raw.setHeader('x-ratelimit-reset', Math.ceil(taken.resetsAtMs / 1000))
}

const cookieIn = ({ headers }: FastifyRequest): string | undefined => cookieOf(headers.cookie, consoleCookie)

/** Browsers bring cookies along wherever they are sent; the header is said by our own pages alone. */
const refuseForged = ({ method, headers }: FastifyRequest): void => {
  if (method === 'GET' || headers[consoleHeader.toLowerCase()] === '1') return
  const problem = 'has to be 1 where a cookie says who asks'
  throw new ApiError('FORBIDDEN', [{ path: consoleHeader, problem }])
}

interface AdmitParts {
  readonly authenticator: Authenticator
  readonly limiter: Limiter
  readonly publicUrl: () => string
}

const cabinetHeaderName = cabinetHeader.toLowerCase()

/**
 * Whether a page of ours asks, and not whoever could make a browser bring the cookie along: it says so itself, or the browser
 * says it of what has no way to say it, a preloaded answer or a link. An address that is opened from elsewhere takes nothing.
 */
const isOwnPage = ({ method, headers }: FastifyRequest): boolean =>
  headers[cabinetHeaderName] === '1' || (method === 'GET' && headers['sec-fetch-site'] === 'same-origin')

/** The customer whose cookie came; a cookie that may not count is none. */
const fromCabinet = async (
  request: FastifyRequest,
  reply: FastifyReply,
  anonymous: AnonymousLimit,
  { authenticator, publicUrl }: AdmitParts,
): Promise<Actor | undefined> => {
  const token = isOwnPage(request)
    ? cookieOf(request.headers.cookie, cabinetCookieName(publicUrl()))
    : undefined
  if (!token) return undefined
  const found = await authenticator.resolveCabinet(token, anonymous)
  if (found?.isProlonged) reply.header('set-cookie', cookieHeader(cabinetCookieOf(publicUrl(), token)))
  return found?.actor
}

/** Authenticate, then limit: by customer when the credential is good, by address otherwise. */
export const admit = (operation: RunnableOperation, parts: AdmitParts) => {
  const { authenticator, limiter } = parts
  const { auth } = operation.row
  const isOfOperators = operation.base === basePaths.operator
  const isOfCustomers = operation.base === basePaths.v1
  const resolve = (request: FastifyRequest, reply: FastifyReply, anonymous: AnonymousLimit) => {
    const { authorization, cookie } = request.headers
    if (isOfCustomers && authorization === undefined && cookie !== undefined) {
      return fromCabinet(request, reply, anonymous, parts)
    }
    const consoleToken = isOfOperators && authorization === undefined ? cookieIn(request) : undefined
    return authenticator.resolve(authorization, auth, anonymous, consoleToken)
  }
  const anonymousLimitOf = (request: FastifyRequest) =>
    new AnonymousLimit(limiter, () => `anonymous:ip:${ipKey(request.ip)}`, anonymousLimit)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const onTaken = (taken: Taken) => showTaken(reply, taken)
    if (auth === 'public' || auth === 'visitor') {
      await operation.admit(undefined, request, onTaken)
      if (isOfOperators && cookieIn(request) !== undefined) refuseForged(request)
      if (auth === 'visitor') {
        request.actor = visitorOf(await resolve(request, reply, anonymousLimitOf(request)))
      }
      return
    }
    const anonymous = anonymousLimitOf(request)
    request.actor = await resolve(request, reply, anonymous)
    if (!request.actor) {
      const taken = await anonymous.take()
      onTaken(taken)
      throw taken.isAllowed ? new ApiError('UNAUTHORIZED') : tooManyRequests(taken.retryAfterSeconds)
    }
    if (request.actor.kind === 'operator' && request.actor.session) refuseForged(request)
    await operation.admit(request.actor, request, onTaken)
  }
}
