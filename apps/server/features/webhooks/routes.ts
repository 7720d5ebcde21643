import { per } from '@sallyport/contract/operation'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import type { FastifyInstance } from 'fastify'
import type { Services } from '../../core/call.ts'
import { keepEvent, settleEventsJob } from '../../core/settlement/inbox.ts'
import type { Limiter } from '../../ports/limiter.ts'
import type { PaymentProvider, PaymentQuestion } from '../../ports/payments.ts'
import { findPayable } from './queries.ts'

/** /webhooks/:provider, where payment providers call back: judged, kept, answered; settled afterwards by a job. */

const maxBodyBytes = 256 * 1024
/** Refused calls an address may make before it is not even told why. */
const forgedLimit = per(60, 60)

/** Only while the order waits for exactly this money. */
const mayBePaid = async (
  { db, clock }: Services,
  provider: PaymentProvider,
  { paymentId, amount, currency }: PaymentQuestion,
): Promise<boolean> => {
  const payable = await findPayable(db, provider.name, paymentId, clock.now())
  return payable?.amount === amount && payable.currency === currency
}

export const webhookRoutes = (app: FastifyInstance, services: Services, limiter: Limiter): void => {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Signatures are over the bytes as they came, so nobody parses them first.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    scope.post<{ Params: { provider: string } }>(
      '/webhooks/:provider',
      { bodyLimit: maxBodyBytes },
      async (request, reply) => {
        const provider = services.providers.get(request.params.provider)
        if (!provider) return reply.code(404).send({ error: 'no such provider' })
        const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
        const now = services.clock.now()
        const verdict = provider.judge({ headers: request.headers, body, ip: request.ip, now })
        switch (verdict.kind) {
          case 'forged': {
            const taken = await limiter.take(`forged:ip:${ipKey(request.ip)}`, forgedLimit)
            if (!taken.isAllowed) {
              return reply
                .code(429)
                .header('retry-after', taken.retryAfterSeconds)
                .send({ error: 'too many' })
            }
            services.log.warn({ provider: provider.name, reason: verdict.reason }, 'a webhook was refused')
            return reply.code(403).send({ error: verdict.reason })
          }
          case 'ignored':
            return {}
          case 'question':
            return verdict.question.answer(await mayBePaid(services, provider, verdict.question))
          case 'event': {
            const event = { provider: provider.name, eventId: verdict.eventId, body: body.toString('utf8') }
            await keepEvent(services, event, now)
            services.kick(settleEventsJob)
            return {}
          }
        }
      },
    )
  })
}
