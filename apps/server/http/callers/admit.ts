import { ApiError, tooManyRequests } from '@sallyport/contract/errors'
import { anonymousLimit, basePaths, consoleCookie, consoleHeader } from '@sallyport/contract/operation'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AnonymousLimit } from '../../core/kernel/credential-lookup.ts'
import { visitorOf } from '../../operations/actor.ts'
import type { RunnableOperation } from '../../operations/run-operation.ts'
import type { Limiter, Taken } from '../../ports/limiter.ts'
import type { Authenticator } from './auth.ts'
import { cookieOf } from './cookies.ts'

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

/** Authenticate, then limit: by customer when the credential is good, by address otherwise. */
export const admit = (
  operation: RunnableOperation,
  { authenticator, limiter }: { readonly authenticator: Authenticator; readonly limiter: Limiter },
) => {
  const { auth } = operation.row
  const isOfOperators = operation.base === basePaths.operator
  const resolve = (request: FastifyRequest, anonymous: AnonymousLimit) => {
    const { authorization } = request.headers
    const cookie = isOfOperators && authorization === undefined ? cookieIn(request) : undefined
    return authenticator.resolve(authorization, auth, anonymous, cookie)
  }
  const anonymousLimitOf = (request: FastifyRequest) =>
    new AnonymousLimit(limiter, () => `anonymous:ip:${ipKey(request.ip)}`, anonymousLimit)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const onTaken = (taken: Taken) => showTaken(reply, taken)
    if (auth === 'public' || auth === 'visitor') {
      await operation.admit(undefined, request, onTaken)
      if (isOfOperators && cookieIn(request) !== undefined) refuseForged(request)
      if (auth === 'visitor') request.actor = visitorOf(await resolve(request, anonymousLimitOf(request)))
      return
    }
    const anonymous = anonymousLimitOf(request)
    request.actor = await resolve(request, anonymous)
    if (!request.actor) {
      const taken = await anonymous.take()
      onTaken(taken)
      throw taken.isAllowed ? new ApiError('UNAUTHORIZED') : tooManyRequests(taken.retryAfterSeconds)
    }
    if (request.actor.kind === 'operator' && request.actor.session) refuseForged(request)
    await operation.admit(request.actor, request, onTaken)
  }
}
