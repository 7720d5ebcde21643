import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TracedSpan, Tracer } from '../core/seeing/tracer.ts'
import type { Cause } from '../db/cause.ts'
import { causeOf, requestIdHeader } from './connections/request-id.ts'
import type { RequestTimes } from './metrics/request-times.ts'

/** Every request has a name, is counted and, if it is chosen for that, traced. */

export interface FollowParts {
  readonly times: RequestTimes
  /** None where nobody collects traces. */
  readonly tracer: Tracer | undefined
  /** Whose word on what to trace is taken. */
  readonly isProxy: (address: string) => boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    cause: Cause | undefined
  }
}

/** Properties, as looking a request up costs more. */
type NamedRequest = IncomingMessage & { cause?: Cause }

/** For Fastify, which asks before there is a request of its own. */
export const nameRequest = (raw: NamedRequest): string => {
  raw.cause = causeOf(raw)
  return raw.cause.id
}

const parentOf = ({ raw }: FastifyRequest, isProxy: FollowParts['isProxy']): string | undefined => {
  const { traceparent } = raw.headers
  return typeof traceparent === 'string' && isProxy(raw.socket.remoteAddress ?? '') ? traceparent : undefined
}

/** The address as the router knows it: the one that came may hold a key. */
const endSpan = (span: TracedSpan, request: FastifyRequest, status: number): void => {
  const { url, config } = request.routeOptions
  const operation = config?.operation ?? 'unknown'
  span.note(operation, {
    'http.request.method': request.method,
    'http.response.status_code': status,
    'http.route': url ?? '',
    'sallyport.operation': operation,
    'sallyport.request_id': request.id,
  })
  span.end(status >= 500 ? new FailedRequest() : undefined)
}

class FailedRequest extends Error {
  override readonly name = 'FailedRequest'
}

export const followRequests = (app: FastifyInstance, { times, tracer, isProxy }: FollowParts): void => {
  app.decorateRequest('cause', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const { cause } = request.raw as NamedRequest
    request.cause = cause
    reply.header(requestIdHeader, request.id)
    if (tracer && cause) cause.span = tracer.begin('request', 'server', {}, parentOf(request, isProxy))
    done()
  })
  times.watch(app)
  if (!tracer) return
  app.addHook('onResponse', (request, reply, done) => {
    const span = request.cause?.span as TracedSpan | undefined
    if (span) endSpan(span, request, reply.statusCode)
    done()
  })
}
