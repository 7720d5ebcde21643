import type { Encoding } from '@sallyport/domain/delivery/encoding'
import { encode, encodingFor } from '@sallyport/domain/delivery/encoding'
import { etagOf, namesEtag } from '@sallyport/domain/delivery/etag'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How answers of the cabinet go out. */

export interface Written {
  readonly type: string
  readonly etag: string
  readonly bodies: Readonly<Partial<Record<Encoding | 'identity', Buffer | undefined>>>
}

/** A text that is kept, in every form that browsers take. */
export const written = (type: string, text: string): Written => {
  const identity = Buffer.from(text)
  const bodies = { identity, br: encode(identity, 'br'), gzip: encode(identity, 'gzip') }
  return { type, etag: etagOf(identity), bodies }
}

/** In the smallest form that the caller takes, or not at all where the caller has it. */
export const send = (request: FastifyRequest, reply: FastifyReply, answer: Written): FastifyReply => {
  const accepted = encodingFor(request.headers['accept-encoding'])
  const body = accepted && answer.bodies[accepted]
  const etag = body ? answer.etag.replace(/"$/, `-${accepted}"`) : answer.etag
  reply.header('etag', etag)
  if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (body) reply.header('content-encoding', accepted)
  return reply.type(answer.type).send(body ?? answer.bodies.identity)
}
