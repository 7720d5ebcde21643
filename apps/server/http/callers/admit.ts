import { ApiError, type Problem } from '@sallyport/contract/errors'
import { anonymousLimit, globalLimit, type Limit, type Operation } from '@sallyport/contract/operation'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Toll } from '../../core/kernel/strangers.ts'
import type { Limiter, Taken } from '../../ports/limiter.ts'
import { type Actor, type Authenticator, notAnApiKey } from './auth.ts'

/** The first two steps of the pipeline: who asks, and whether it may ask so much. */

/** Tells the caller how a bucket stands, and refuses when it is empty. */
const showTaken = (reply: FastifyReply, taken: Taken): void => {
  reply.raw.setHeader('x-ratelimit-limit', taken.limit)
  reply.raw.setHeader('x-ratelimit-remaining', taken.remaining)
  reply.raw.setHeader('x-ratelimit-reset', Math.ceil(taken.resetsAtMs / 1000))
  if (taken.isAllowed) return
  reply.header('retry-after', taken.retryAfterSeconds)
  throw new ApiError('TOO_MANY_REQUESTS')
}

/** Takes one request from a bucket. */
const takeFromBucket = async (
  limiter: Limiter,
  reply: FastifyReply,
  key: string,
  limit: Limit,
): Promise<void> => {
  const pending = limiter.take(key, limit)
  showTaken(reply, pending instanceof Promise ? await pending : pending)
}

const globalBucket = { name: 'global', limit: globalLimit }

const bucketOf = (name: string, row: Operation): { name: string; limit: Limit } | undefined => {
  if (row.limit === 'none') return undefined
  return row.limit === 'global' ? globalBucket : { name, limit: row.limit }
}

/** Why a caller with a good credential may still not call this, or null. */
const refusal = (row: Operation, actor: Actor): Problem | null => {
  if (actor.kind === 'operator' && row.roles && !row.roles.includes(actor.role)) {
    return { path: 'Authorization', problem: `needs the role ${row.roles.join(' or ')}` }
  }
  if (actor.kind !== 'customer') return null
  if (actor.isBlocked) return { path: '', problem: 'the account is blocked; write to support' }
  return row.auth === 'session' && actor.sessionId === undefined ? notAnApiKey : null
}

/** Authenticate, then limit: by customer when the credential is good, by address otherwise. */
export const admit = (
  name: string,
  row: Operation,
  { authenticator, limiter }: { readonly authenticator: Authenticator; readonly limiter: Limiter },
) => {
  const bucket = bucketOf(name, row)
  const tollOf = (request: FastifyRequest) =>
    new Toll(limiter, () => `anonymous:ip:${ipKey(request.ip)}`, anonymousLimit)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (row.auth === 'public' || row.auth === 'visitor') {
      if (bucket) await takeFromBucket(limiter, reply, `${bucket.name}:ip:${ipKey(request.ip)}`, bucket.limit)
      if (row.auth === 'public') return
      const visitor = await authenticator.resolve(request.headers.authorization, row.auth, tollOf(request))
      request.actor = visitor?.kind === 'customer' && visitor.isBlocked ? undefined : visitor
      return
    }
    const toll = tollOf(request)
    const actor = await authenticator.resolve(request.headers.authorization, row.auth, toll)
    if (!actor) {
      showTaken(reply, await toll.take())
      throw new ApiError('UNAUTHORIZED')
    }
    request.actor = actor
    const reason = refusal(row, actor)
    // Whoever may not call it does not use up what those who may have of it.
    const charged = bucket && reason ? globalBucket : bucket
    if (charged) await takeFromBucket(limiter, reply, `${charged.name}:user:${actor.id}`, charged.limit)
    if (reason) throw new ApiError('FORBIDDEN', [reason])
  }
}
