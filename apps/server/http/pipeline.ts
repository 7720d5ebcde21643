import { ApiError } from '@sallyport/contract/errors'
import {
  type Operation,
  type OperationTable,
  type SuccessStatus,
  usualBodyLimitBytes,
} from '@sallyport/contract/operation'
import { Closed } from '@sallyport/contract/shapes'
import { languageOf } from '@sallyport/domain/delivery/language'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import {
  type Call,
  type Cookie,
  type Handler,
  type Handlers,
  Redirect,
  Reply,
  type Services,
} from '../core/call.ts'
import { countingGuess, promocodeGuess } from '../core/kernel/guesses.ts'
import { AwaitingLink } from '../core/sales/awaiting-link.ts'
import { obtainLink } from '../core/settlement/payment-links.ts'
import type { Db } from '../db/client.ts'
import type { Limiter } from '../ports/limiter.ts'
import { admit } from './callers/admit.ts'
import type { Actor, Authenticator } from './callers/auth.ts'
import { cookieHeader, cookieOf } from './callers/cookies.ts'
import { type Answer, answerOnce } from './idempotency.ts'
import { readText, validate } from './validate.ts'
import { type Serialise, successSerialiser } from './wire/envelope.ts'

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
const answerHeaders = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

const readBody = (schema: TSchema | undefined, body: unknown): unknown => {
  const value = body === undefined ? {} : body
  validate(schema ?? noBody, value)
  return schema ? value : undefined
}

const actorFields = (actor: Actor | undefined) => ({
  userId: actor?.kind === 'customer' ? actor.id : undefined,
  sessionId: actor?.kind === 'customer' ? actor.sessionId : undefined,
  operatorId: actor?.kind === 'operator' ? actor.id : undefined,
  operatorRole: actor?.kind === 'operator' ? actor.role : undefined,
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
    // Asking the socket for it is not free, and few handlers do.
    get ip() {
      return request.ip
    },
    cookie: (name: string) => cookieOf(request.headers.cookie, name),
    abortSignal: () => request.signal,
  }
}

const usualStatus = (row: Operation): SuccessStatus => Number(Object.keys(row.response)[0]) as SuccessStatus

/** What failed for another reason says nothing about the code. */
const isWrongPromocode = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'PROMOCODE_INVALID'

/** A stricter limit than the bucket's ran out: what was said about the bucket would mislead. */
const showWait = (reply: FastifyReply, error: unknown, now: number): void => {
  if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) return
  if (error.limit !== undefined) reply.raw.setHeader('x-ratelimit-limit', error.limit)
  reply.raw.setHeader('x-ratelimit-remaining', 0)
  reply.raw.setHeader('x-ratelimit-reset', now + error.retryAfterSeconds)
}

const setCookie = (cookie: Cookie | undefined): Record<string, string> =>
  cookie ? { 'set-cookie': cookieHeader(cookie) } : {}

const redirectTo = ({ url, cookie }: Redirect): Answer => ({
  status: 302,
  body: JSON.stringify({ status: true, statusCode: 302, data: { url } }),
  headers: { location: url, ...setCookie(cookie) },
})

const namesPromocode = (row: Operation, body: unknown): boolean =>
  row.takesPromocode === true && (body as { promocode?: string } | undefined)?.promocode !== undefined

const runRow = (name: string, row: Operation, handler: Handler<Operation>, { services }: PipelineParts) => {
  const status = usualStatus(row)
  const addressKey = services.vault.subkey('addresses')
  const serialise: Serialise = successSerialiser(status, row.response[status] as TSchema)
  // Where money has to come first, the answer may have a status of its own.
  const linkStatus: SuccessStatus = row.response[201] ? 201 : status
  const serialiseLink: Serialise = successSerialiser(linkStatus, row.response[linkStatus] as TSchema)
  const answerOf = (data: unknown): Answer => {
    if (data instanceof Redirect) return redirectTo(data)
    if (data instanceof Reply) return { status, body: serialise(data.data), headers: setCookie(data.cookie) }
    return { status, body: serialise(data) }
  }
  const run = async (call: Call<Operation>): Promise<Answer | AwaitingLink> => {
    const data: unknown = await handler(call)
    return data instanceof AwaitingLink ? data : answerOf(data)
  }

  const answer = async (call: Call<Operation>, request: FastifyRequest): Promise<Answer> => {
    const withLink = async ({ paymentId }: AwaitingLink): Promise<Answer> => ({
      status: linkStatus,
      body: serialiseLink({ link: await obtainLink(services, paymentId, call.now) }),
    })
    const key = row.idempotent ? request.headers['idempotency-key'] : undefined
    if (key === undefined) {
      const given = await run(call)
      return given instanceof AwaitingLink ? withLink(given) : given
    }
    const { vault, db } = services
    const actor = `${request.actor?.kind}:${request.actor?.id}`
    const once = { db, vault, now: call.now, actor, key: String(key), operation: name }
    const work = (tx: Db) => run({ ...call, db: tx })
    return answerOnce({ ...once, request: [call.params, call.body] }, work, withLink)
  }

  const counting = (call: Call<Operation>, { actor, ip }: FastifyRequest, work: () => Promise<Answer>) => {
    const guess = promocodeGuess({ userId: actor?.id ?? 0, ip, addressKey, now: call.now })
    return countingGuess(services.db, guess, isWrongPromocode, work)
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const call = buildCall(row, services, request) as Call<Operation>
    const work = () => answer(call, request)
    const given = await (namesPromocode(row, call.body) ? counting(call, request, work) : work()).catch(
      (error: unknown) => {
        showWait(reply, error, call.now)
        throw error
      },
    )
    if (given.isReplay) reply.header('idempotency-replayed', 'true')
    if (given.headers) reply.headers(given.headers)
    // Answers hold tokens, keys and links that belong to one caller.
    reply.code(given.status).headers(answerHeaders)
    return given.body
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
