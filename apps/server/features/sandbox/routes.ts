import { ApiError, badRequest } from '@sallyport/contract/errors'
import { per } from '@sallyport/contract/operation'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import { type Language, languageOf } from '@sallyport/domain/text/language'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../db/client.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Limiter } from '../../ports/limiter.ts'
import type { Log } from '../../ports/log.ts'
import { pagePolicy, paymentPage, unknownPaymentPage } from './page.ts'
import { actOnSandboxPayment, findSandboxPayment, type SandboxPayment } from './queries.ts'
import { type Action, isAction, stateAt } from './state.ts'

/** Wrong names of payments an address may try; right ones are not counted. */
const guessLimit = per(30, 60)
const formBytes = 1024
const idShape = /^[0-9A-Za-z_-]{1,64}$/

export interface SandboxRoutesParts {
  readonly db: Db
  readonly clock: Clock
  readonly limiter: Limiter
  readonly log: Log
  /** Tells the service of this payment's change at once; what fails is told again later. */
  readonly deliver: (paymentId: string) => Promise<void>
}

type PayRequest = FastifyRequest<{ Params: { payment: string }; Querystring: { lang?: unknown } }>

const chosenLanguage = ({ query }: PayRequest): Language | undefined =>
  query.lang === 'ru' || query.lang === 'en' ? query.lang : undefined

const pageLanguage = (request: PayRequest): Language =>
  chosenLanguage(request) ?? languageOf(request.headers['accept-language'])

const sendPage = (reply: FastifyReply, language: Language, page: string): FastifyReply =>
  reply
    .headers({
      'content-security-policy': pagePolicy,
      'content-language': language,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      vary: 'accept-language',
    })
    .type('text/html; charset=utf-8')
    .send(page)

/** A browser sends a form and is shown pages; a program sends JSON and is told the state. */
const isProgram = (request: PayRequest): boolean =>
  request.headers['content-type']?.startsWith('application/json') ?? false

const actionIn = (body: unknown): Action => {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const stranger = Object.keys(fields).find((name) => name !== 'action')
  if (stranger !== undefined) throw badRequest(stranger, 'is not a known field')
  if (!isAction(fields.action)) throw badRequest('action', 'must be one of pay, decline, later')
  return fields.action
}

const refuseUnknown = async (request: PayRequest, reply: FastifyReply, limiter: Limiter) => {
  const taken = await limiter.take(`pay:ip:${ipKey(request.ip)}`, guessLimit)
  if (!taken.isAllowed) reply.header('retry-after', taken.retryAfterSeconds)
  if (isProgram(request)) throw new ApiError(taken.isAllowed ? 'NOT_FOUND' : 'TOO_MANY_REQUESTS')
  if (!taken.isAllowed) return reply.code(429).type('text/plain; charset=utf-8').send('Too Many Requests\n')
  const language = pageLanguage(request)
  return sendPage(reply.code(404), language, unknownPaymentPage(language))
}

const acceptForms = (scope: FastifyInstance): void => {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formBytes },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  )
}

/** /pay/:payment, the sandbox's hosted page. Forms are read here and nowhere else in the service. */
export const sandboxRoutes = (app: FastifyInstance, parts: SandboxRoutesParts): void => {
  const { db, clock, limiter, deliver, log } = parts

  const find = async ({ params }: PayRequest): Promise<SandboxPayment | undefined> =>
    idShape.test(params.payment) ? findSandboxPayment(db, params.payment) : undefined

  const tell = async (paymentId: string): Promise<void> => {
    try {
      await deliver(paymentId)
    } catch (error) {
      log.warn({ err: error, paymentId }, 'the sandbox could not tell of a payment; it is told again later')
    }
  }

  const show = async (request: PayRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('cache-control', 'no-store')
    const payment = await find(request)
    if (!payment) return refuseUnknown(request, reply, limiter)
    const language = pageLanguage(request)
    return sendPage(reply, language, paymentPage(payment, language, clock.now()))
  }

  const act = async (request: PayRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('cache-control', 'no-store')
    const payment = await find(request)
    if (!payment) return refuseUnknown(request, reply, limiter)
    const paymentId = payment.payment_id
    const now = clock.now()
    const isChanged = await actOnSandboxPayment(db, paymentId, actionIn(request.body), now)
    if (isChanged) await tell(paymentId)
    if (!isProgram(request)) {
      const lang = chosenLanguage(request)
      return reply.redirect(`/pay/${paymentId}${lang ? `?lang=${lang}` : ''}`, 303)
    }
    const current = (await findSandboxPayment(db, paymentId)) ?? payment
    return reply.code(isChanged ? 200 : 409).send({ state: stateAt(current, now) })
  }

  app.register(async (scope) => {
    acceptForms(scope)
    scope.get('/pay/:payment', show)
    scope.post('/pay/:payment', act)
  })
}
