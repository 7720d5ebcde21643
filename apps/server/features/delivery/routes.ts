import { type Choice, chooseFormat, readFormatName } from '@sallyport/domain/delivery/choice/choice'
import { encodingFor } from '@sallyport/domain/delivery/encoding'
import { namesEtag } from '@sallyport/domain/delivery/etag'
import type { Format } from '@sallyport/domain/delivery/format'
import { notice } from '@sallyport/domain/delivery/formats/entry'
import { renderFormat } from '@sallyport/domain/delivery/formats/render'
import { type Language, languageOf } from '@sallyport/domain/delivery/language'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../core/call.ts'
import { Gate, type Toll } from '../../core/kernel/strangers.ts'
import { isOurSubscriptionKey } from '../../core/kernel/tokens.ts'
import { sha256 } from '../../core/kernel/vault.ts'
import { listLiveStanding } from '../../core/vpn/care/standing.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { type Asking, admit, admitToOptions, noteSeen, readAskingDevice, type Withheld } from './admission.ts'
import { endOf, entriesOf } from './entries.ts'
import { guessToll, refuseUnknownKey } from './guesses.ts'
import { deliveredHeaders, sharedHeaders } from './headers.ts'
import { Answer, KeptAnswers } from './kept.ts'
import { findOwner, listLiveConfigs, type SubscriptionOwner } from './queries.ts'
import { noticeOptionRefusals, noticeRefusal, refusalHeaders, refusals } from './refusal.ts'

type Route = { Params: { key: string }; Querystring: { format?: unknown } }
type SubscriptionRequest = FastifyRequest<Route>

const keyShape = /^[0-9A-Za-z]{32}$/

/** Of all answers together. */
const keptBytes = 256 * 1024 * 1024

interface Wished extends Choice {
  readonly format: Format
  readonly language: Language
}

interface Served {
  readonly owner: SubscriptionOwner
  readonly wished: Wished
  readonly withheld: ReadonlyMap<number, Withheld>
  readonly now: number
}

const formatOf = ({ format }: Choice): Format => (format === 'page' ? 'base64' : format)

const refuseFormat = (reply: FastifyReply, problem: string): FastifyReply =>
  reply.code(400).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${problem}\n`)

/** What the answer depends on beside the revision: options that this device does not get. */
const withheldName = (withheld: ReadonlyMap<number, Withheld>): string =>
  [...withheld].map(([term, reason]) => `${term}:${reason}`).join()

/** /sub/:key for client apps. Unknown, rotated and deleted keys are one and the same 404. */
export const deliveryRoutes = (
  app: FastifyInstance,
  services: Services,
  limiter: Limiter,
  publicUrl: () => string,
): void => {
  const { db, vault, clock } = services
  const devicesKey = vault.subkey('devices')
  const gate = new Gate()
  const kept = new KeptAnswers(keptBytes)

  const askedBy = ({ params, headers }: SubscriptionRequest): Asking | undefined => {
    if (!keyShape.test(params.key)) return undefined
    const keyHash = sha256(params.key)
    return { keyHash, device: readAskingDevice(devicesKey, keyHash, headers), headers, now: clock.now() }
  }

  const ownerOf = ({ params }: SubscriptionRequest, asking: Asking, toll: Toll) => {
    const asked = { id: params.key, isOurs: isOurSubscriptionKey(vault, params.key) }
    return gate.find(asked, toll, () => findOwner(db, asking.keyHash, asking.device, asking.now))
  }

  const make = async ({ owner, wished, withheld, now }: Served): Promise<Answer> => {
    const { format, variant, language } = wished
    const [rows, standing] = await Promise.all([
      listLiveConfigs(db, owner.user_id, now, language === 'en'),
      owner.has_machines ? listLiveStanding(services, owner.user_id, now) : [],
    ])
    const live = { rows, standing, options: owner.options, withheld }
    const rendered = renderFormat(format, entriesOf(vault, live, language), { language, variant })
    return new Answer(rendered, owner.revision, endOf(live))
  }

  const answerOf = async ({
    owner,
    wished,
    withheld,
    now,
  }: Served): Promise<{ readonly answer: Answer; readonly keep: () => void }> => {
    const { format, variant = '', language } = wished
    const name = [owner.id, format, variant, language, withheldName(withheld)].join(' ')
    const answer = kept.find(name, owner.revision, now) ?? (await make({ owner, wished, withheld, now }))
    return { answer, keep: () => kept.keep(name, answer) }
  }

  const send = async (
    request: SubscriptionRequest,
    reply: FastifyReply,
    served: Served,
  ): Promise<FastifyReply> => {
    const { owner } = served
    const { answer, keep } = await answerOf(served)
    const { body, encoding, etag } = answer.as(encodingFor(request.headers['accept-encoding']))
    keep()
    reply.headers(deliveredHeaders(owner, answer, publicUrl())).header('etag', etag)
    if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (encoding) reply.header('content-encoding', encoding)
    return reply.type(answer.contentType).send(body)
  }

  app.get<Route>('/sub/:key', async (request, reply) => {
    const { 'user-agent': userAgent, accept, 'accept-language': languages } = request.headers
    const named = request.query.format === undefined ? undefined : readFormatName(request.query.format)
    if (named && 'problem' in named) return refuseFormat(reply, named.problem)
    const asking = askedBy(request)
    const toll = guessToll(limiter, request)
    const owner = asking && (await ownerOf(request, asking, toll))
    const verdict = owner && (await admit(services, owner, asking))
    if (!verdict) return refuseUnknownKey(services, toll, request, reply)
    const choice = chooseFormat({ userAgent, accept, isTemplateEnabled: false }, named?.format)
    const wished: Wished = { ...choice, format: formatOf(choice), language: languageOf(languages) }
    if (verdict !== 'served') {
      await noticeRefusal(db, owner.user_id, verdict, asking.now)
      const { language } = wished
      const { body, contentType } = renderFormat(
        wished.format,
        [notice(refusals[verdict].title[language])],
        wished,
      )
      // Never 304, and nothing to ask 304 with: an app must not go on with the links it had, nor keep this instead.
      reply.headers({ ...sharedHeaders(owner, publicUrl()), ...refusalHeaders(verdict, language) })
      return reply.header('cache-control', 'no-store').type(contentType).send(body)
    }
    const [withheld] = await Promise.all([
      admitToOptions(services, owner, asking),
      noteSeen(services, owner, asking),
    ])
    if (!withheld) return refuseUnknownKey(services, toll, request, reply)
    await noticeOptionRefusals(db, owner, withheld, asking.now)
    return send(request, reply, { owner, wished, withheld, now: asking.now })
  })
}
