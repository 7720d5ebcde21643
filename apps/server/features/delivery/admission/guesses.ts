import { per } from '@sallyport/contract/operation'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../../core/call.ts'
import { AnonymousLimit } from '../../../core/kernel/credential-lookup.ts'
import { guesserOf, subscriptionGuess, takeGuess } from '../../../core/kernel/guesses.ts'
import type { Limiter } from '../../../ports/limiter.ts'

/** Wrong keys an address may try; right ones are not counted. */
const guessLimit = per(30, 60)

export const guessLimitOf = (limiter: Limiter, request: FastifyRequest): AnonymousLimit =>
  new AnonymousLimit(limiter, () => `sub:ip:${ipKey(request.ip)}`, guessLimit)

/** The seconds to wait, or undefined. The usual limit stands first, so that a flood does not reach the database. */
const countGuess = async (
  { db, vault, clock }: Services,
  anonymous: AnonymousLimit,
  ip: string,
): Promise<number | undefined> => {
  const taken = await anonymous.take()
  if (!taken.isAllowed) return taken.retryAfterSeconds
  return takeGuess(db, subscriptionGuess(guesserOf({ ip, vault, now: clock.now() })))
}

/** Unknown, rotated and deleted keys are one and the same 404; an address that tries many has to wait. */
export const refuseUnknownKey = async (
  services: Services,
  anonymous: AnonymousLimit,
  request: FastifyRequest,
  reply: FastifyReply,
  /** For a browser. */
  sendPage?: () => Promise<FastifyReply>,
): Promise<FastifyReply> => {
  const waitSeconds = await countGuess(services, anonymous, request.ip)
  if (waitSeconds === undefined && sendPage) return sendPage()
  reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store')
  if (waitSeconds === undefined) return reply.code(404).send('Not found\n')
  return reply.code(429).header('retry-after', waitSeconds).send('Too Many Requests\n')
}
