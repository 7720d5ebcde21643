import { Readable } from 'node:stream'
import { ApiError } from '@sallyport/contract/errors'
import { type Operation, usualBodyLimitBytes } from '@sallyport/contract/operation'
import { languageIn } from '@sallyport/domain/cabinet/visitor'
import type { Language } from '@sallyport/domain/text/language'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../operations/actor.ts'
import { type Answer, envelopeOf } from '../operations/answer.ts'
import type { Named, OperationInput } from '../operations/operation-input.ts'
import type { RunnableOperation } from '../operations/run-operation.ts'
import type { Clock } from '../ports/clock.ts'
import type { Limiter } from '../ports/limiter.ts'
import { admit } from './callers/admit.ts'
import type { Authenticator } from './callers/auth.ts'
import { cookieHeader, cookieOf } from './callers/cookies.ts'
import type { HttpServer } from './connections/http-server.ts'
import { compress, compressionFor, isCompressible } from './wire/compression.ts'

/** Operations over HTTP: what is said in requests, and answered in headers and bodies. */

export interface PipelineParts {
  readonly clock: Clock
  readonly authenticator: Authenticator
  readonly limiter: Limiter
  readonly httpServer: HttpServer
  /** Where customers reach the service: their cookie is called by it. */
  readonly publicUrl: () => string
}

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined
  }
  interface FastifyContextConfig {
    row?: Operation
  }
}

const csvHeaders = {
  'content-type': 'text/csv; charset=utf-8',
  'cache-control': 'no-store',
  'content-disposition': 'attachment',
}
const answerHeaders = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
const compressibleHeaders = { ...answerHeaders, vary: 'accept-encoding' }

/** Reads of a request what is asked for. */
class HttpInput implements OperationInput {
  readonly #request: FastifyRequest
  readonly #httpServer: HttpServer

  constructor(request: FastifyRequest, httpServer: HttpServer) {
    this.#request = request
    this.#httpServer = httpServer
  }

  get params(): Named {
    return this.#request.params as Named
  }

  get query(): Named {
    return this.#request.query as Named
  }

  get body(): unknown {
    return this.#request.body
  }

  get language(): Language {
    return languageIn(this.#request.headers)
  }

  get ip(): string {
    return this.#request.ip
  }

  get wantsCsv(): boolean {
    return this.#request.headers.accept?.includes('text/csv') ?? false
  }

  cookie(name: string): string | undefined {
    return cookieOf(this.#request.headers.cookie, name)
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name.toLowerCase()]
    return typeof value === 'string' ? value : undefined
  }

  abortSignal(): AbortSignal {
    return this.#request.signal
  }

  aside<T>(wait: () => Promise<T>): Promise<T> {
    return this.#httpServer.aside(this.#request.raw, wait)
  }
}

const keyOf = ({ headers }: FastifyRequest): string | undefined => {
  const key = headers['idempotency-key']
  return key === undefined ? undefined : String(key)
}

/** A stricter limit than the bucket's ran out: what was said about the bucket would mislead. */
const showWait = (reply: FastifyReply, error: unknown, now: number): void => {
  if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) return
  if (error.limit !== undefined) reply.raw.setHeader('x-ratelimit-limit', error.limit)
  reply.raw.setHeader('x-ratelimit-remaining', 0)
  reply.raw.setHeader('x-ratelimit-reset', now + error.retryAfterSeconds)
}

type Sent = string | Buffer | Readable

const send = (reply: FastifyReply, answer: Answer, headers = answerHeaders): string | Readable => {
  if (answer.isReplay) reply.header('idempotency-replayed', 'true')
  if (answer.location !== undefined) reply.header('location', answer.location)
  if (answer.cookie) reply.header('set-cookie', cookieHeader(answer.cookie))
  // Answers hold tokens, keys and links that belong to one caller.
  reply.code(answer.status).headers(answer.csv ? csvHeaders : headers)
  return answer.csv ? Readable.from(answer.csv) : envelopeOf(answer)
}

/** Of what may be compressed: as small as the caller can read it. */
const sendSmall = (request: FastifyRequest, reply: FastifyReply, answer: Answer): Sent | Promise<Sent> => {
  const body = send(reply, answer, compressibleHeaders)
  if (typeof body !== 'string') return body
  const encoding = compressionFor(body, request.headers['accept-encoding'])
  if (!encoding) return body
  reply.header('content-encoding', encoding)
  return compress(body, encoding)
}

const serve = ({ perform, row }: RunnableOperation, { clock, httpServer }: PipelineParts) => {
  const isSmall = isCompressible(row)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Sent> => {
    try {
      const answer = await perform(request.actor, new HttpInput(request, httpServer), keyOf(request))
      return isSmall ? sendSmall(request, reply, answer) : send(reply, answer)
    } catch (error) {
      showWait(reply, error, clock.now())
      throw error
    }
  }
}

export const serveOperations = (
  app: FastifyInstance,
  parts: PipelineParts,
  operations: Iterable<RunnableOperation>,
): void => {
  for (const operation of operations) {
    const { base, row } = operation
    app.route({
      method: row.method,
      url: base + row.path,
      // A HEAD made from a GET would run its handler, and taking notifications is one of them.
      exposeHeadRoute: false,
      bodyLimit: row.bodyLimitBytes ?? usualBodyLimitBytes,
      config: { row, operation: operation.name },
      onRequest: admit(operation, parts),
      handler: serve(operation, parts),
    })
  }
}
