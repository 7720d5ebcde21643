import { ApiError, type Problem } from '@sallyport/contract/errors'
import {
  anonymousLimit,
  globalLimit,
  type Limit,
  type Operation,
  type OperationTable,
  type SuccessStatus,
  usualBodyLimitBytes,
} from '@sallyport/contract/operation'
import { Closed } from '@sallyport/contract/shapes'
import { ipKey } from '@sallyport/domain/ip-key'
import { languageOf } from '@sallyport/domain/language'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Call, Handler, Handlers, Services } from '../core/call.ts'
import type { Limiter } from '../ports/limiter.ts'
import type { Actor, Authenticator } from './auth.ts'
import { type Serialise, successSerialiser } from './envelope.ts'
import { type Answer, answerOnce } from './idempotency.ts'
import { readText, validate } from './validate.ts'

export interface PipelineParts {
  readonly services: Services
  readonly authenticator: Authenticator
  readonly limiter: Limiter
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined
  }
  interface FastifyContextConfig {
    row?: Operation
  }
}

const noBody = Closed({})

/** Takes one request from a bucket, tells the caller how it stands, and refuses when the bucket is empty. */
const takeFromBucket = async (
  limiter: Limiter,
  reply: FastifyReply,
  key: string,
  limit: Limit,
): Promise<void> => {
  const pending = limiter.take(key, limit)
  const taken = pending instanceof Promise ? await pending : pending
  reply.raw.setHeader('x-ratelimit-limit', taken.limit)
  reply.raw.setHeader('x-ratelimit-remaining', taken.remaining)
  reply.raw.setHeader('x-ratelimit-reset', Math.ceil(taken.resetsAtMs / 1000))
  if (taken.isAllowed) return
  reply.header('retry-after', taken.retryAfterSeconds)
  throw new ApiError('TOO_MANY_REQUESTS')
}

const bucketOf = (name: string, row: Operation): { name: string; limit: Limit } | undefined => {
  if (row.limit === 'none') return undefined
  return row.limit === 'global' ? { name: 'global', limit: globalLimit } : { name, limit: row.limit }
}

/** Why a caller with a good credential may still not call this, or null. */
const refusal = (row: Operation, actor: Actor): Problem | null => {
  if (actor.kind === 'operator' && row.roles && !row.roles.includes(actor.role)) {
    return { path: 'Authorization', problem: `needs the role ${row.roles.join(' or ')}` }
  }
  if (actor.kind !== 'customer') return null
  if (actor.isBlocked) return { path: '', problem: 'the account is blocked; write to support' }
  if (row.auth !== 'session' || actor.hasSession) return null
  return { path: 'Authorization', problem: 'needs a session token, not an API key' }
}

/** Authenticate, then limit: by customer when the credential is good, by address otherwise. */
const admit = (name: string, row: Operation, { authenticator, limiter }: PipelineParts) => {
  const bucket = bucketOf(name, row)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (row.auth === 'public') {
      if (bucket) await takeFromBucket(limiter, reply, `${bucket.name}:ip:${ipKey(request.ip)}`, bucket.limit)
      return
    }
    const actor = await authenticator.resolve(request.headers.authorization, row.auth)
    if (!actor) {
      await takeFromBucket(limiter, reply, `anonymous:ip:${ipKey(request.ip)}`, anonymousLimit)
      throw new ApiError('UNAUTHORIZED')
    }
    request.actor = actor
    if (bucket) await takeFromBucket(limiter, reply, `${bucket.name}:user:${actor.id}`, bucket.limit)
    const reason = refusal(row, actor)
    if (reason) throw new ApiError('FORBIDDEN', [reason])
  }
}

const readBody = (schema: TSchema | undefined, body: unknown): unknown => {
  const value = body ?? {}
  validate(schema ?? noBody, value)
  return schema ? value : undefined
}

const actorFields = (actor: Actor | undefined) => ({
  userId: actor?.kind === 'customer' ? actor.id : undefined,
  operatorId: actor?.kind === 'operator' ? actor.id : undefined,
  nodeId: actor?.kind === 'node' ? actor.id : undefined,
})

const buildCall = (row: Operation, services: Services, request: FastifyRequest) => {
  const { params, query, body } = row.request
  return {
    ...services,
    ...actorFields(request.actor),
    params: params && readText(params, request.params as Record<string, unknown>),
    query: query && readText(query, request.query as Record<string, unknown>),
    body: readBody(body, request.body),
    language: languageOf(request.headers['accept-language']),
    now: services.clock.now(),
    abortSignal: () => request.signal,
  }
}

const usualStatus = (row: Operation): SuccessStatus => Number(Object.keys(row.response)[0]) as SuccessStatus

const runRow = (name: string, row: Operation, handler: Handler<Operation>, { services }: PipelineParts) => {
  const status = usualStatus(row)
  const serialise: Serialise = successSerialiser(status, row.response[status] as TSchema)
  const run = async (call: Call<Operation>): Promise<Answer> => ({
    status,
    body: serialise(await handler(call)),
  })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const call = buildCall(row, services, request) as Call<Operation>
    const key = row.idempotent ? request.headers['idempotency-key'] : undefined
    let answer: Answer
    if (key === undefined) answer = await run(call)
    else {
      const actor = `${request.actor?.kind}:${request.actor?.id}`
      const once = {
        ...services,
        now: call.now,
        actor,
        key: String(key),
        operation: name,
        request: [call.params, call.body],
      }
      answer = await answerOnce(once, (tx) => run({ ...call, db: tx }))
      if (answer.isReplay) reply.header('idempotency-replayed', 'true')
    }
    reply.code(answer.status).header('content-type', 'application/json; charset=utf-8')
    return answer.body
  }
}

/** Serves a table of operations under a base address. */
export const serveTable = <T extends OperationTable>(
  app: FastifyInstance,
  parts: PipelineParts,
  base: string,
  table: T,
  handlers: Handlers<T>,
): void => {
  for (const [name, row] of Object.entries(table)) {
    app.route({
      method: row.method,
      url: base + row.path,
      // A HEAD made from a GET would run its handler, and taking notifications is one of them.
      exposeHeadRoute: false,
      bodyLimit: row.bodyLimitBytes ?? usualBodyLimitBytes,
      config: { row },
      onRequest: admit(name, row, parts),
      handler: runRow(name, row, handlers[name] as Handler<Operation>, parts),
    })
  }
}
