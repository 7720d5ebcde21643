import type { DeviceRefusal } from '@sallyport/domain/delivery/device'
import { encodingFor } from '@sallyport/domain/delivery/encoding'
import { namesEtag } from '@sallyport/domain/delivery/etag'
import type { Format, Variant } from '@sallyport/domain/delivery/format'
import { notice } from '@sallyport/domain/delivery/formats/entry'
import { renderFormat } from '@sallyport/domain/delivery/formats/render'
import type { OfflineChoice } from '@sallyport/domain/delivery/offline'
import { readTemplate } from '@sallyport/domain/delivery/templates/template'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findEnabledTemplate } from '../../core/custom-subscriptions/templates.ts'
import type { Db } from '../../db/client.ts'
import { refusalHeaders, refusals } from './admission/refusal.ts'
import { Answer, type AnswerCache } from './cache/answers.ts'
import type { DeadSet } from './cache/dead-nodes.ts'
import { memoizeText } from './cache/memoize.ts'
import type { DeliveryReader, DeliveryRequest } from './entries.ts'
import { deliveredHeaders, type HeaderSource, sharedHeaders } from './headers.ts'
import { shownEntries, validityOf } from './offline.ts'

/** What client apps are sent. */

interface AppFormat {
  readonly format: Format
  readonly variant: Variant | undefined
}

export interface AppRequest extends DeliveryRequest, HeaderSource, AppFormat {
  readonly dead: DeadSet
  readonly offline: OfflineChoice
  readonly item: number | undefined
}

const encodingOf = memoizeText((accepted) => encodingFor(accepted) ?? 'identity')

/** What the answer depends on beside the revision. */
const nameOf = ({ owner, format, variant, language, item, offline, withheld }: AppRequest): string => {
  const name = `${owner.id} ${format} ${variant} ${language} ${item} ${offline}`
  return withheld.size === 0 ? name : [name, ...[...withheld].flat()].join(' ')
}

/** What was stored has been checked; one that a later release refuses gives way to the usual one. */
const readOwnTemplate = async (db: Db, subscriptionId: number) => {
  const text = await findEnabledTemplate(db, subscriptionId)
  const read = text === undefined ? undefined : readTemplate('xray', text)
  return read && 'template' in read ? read.template : undefined
}

const render = async (db: Db, reader: DeliveryReader, wanted: AppRequest): Promise<Answer | undefined> => {
  const { owner, format, variant, language, settings } = wanted
  const delivered = await reader.read(wanted)
  const entries = shownEntries(delivered, wanted)
  if (!entries) return undefined
  const isOwn = format === 'xray' && owner.kind === 'custom'
  const own = isOwn ? await readOwnTemplate(db, owner.id) : undefined
  const template = own ?? settings.templateFor(format, variant)
  const rendered = renderFormat(format, entries, { language, variant, template })
  return new Answer(rendered, owner.revision, delivered.validUntil, validityOf(delivered, wanted))
}

export class AppAnswers {
  readonly #db: Db
  readonly #reader: DeliveryReader
  readonly #cache: AnswerCache

  constructor(db: Db, reader: DeliveryReader, cache: AnswerCache) {
    this.#db = db
    this.#reader = reader
    this.#cache = cache
  }

  /** Undefined where there is no such entry. */
  async find(wanted: AppRequest): Promise<Answer | undefined> {
    const { owner, settings, dead, now } = wanted
    const name = nameOf(wanted)
    const found = this.#cache.find(name, owner.revision, now)
    if (found?.validity?.holds(settings.version, dead)) return found
    const making = `${name} ${settings.version}`
    return this.#cache.make(making, owner.revision, () => render(this.#db, this.#reader, wanted))
  }

  send(request: FastifyRequest, reply: FastifyReply, wanted: AppRequest, answer: Answer): FastifyReply {
    const form = answer.as(encodingOf(request.headers['accept-encoding']))
    this.#cache.keep(nameOf(wanted), answer)
    const headers = deliveredHeaders(wanted, answer, form)
    if (namesEtag(request.headers['if-none-match'], form.etag)) return reply.headers(headers).code(304).send()
    headers['content-type'] = answer.contentType
    if (form.encoding) headers['content-encoding'] = form.encoding
    return reply.headers(headers).send(form.body)
  }

  /** Never 304, and nothing to ask 304 with: an app must not go on with the links it had, nor keep this instead. */
  refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: HeaderSource & AppFormat,
    reason: DeviceRefusal,
  ): FastifyReply {
    const { settings, language, format, variant } = wanted
    const entries = [notice(refusals[reason].title[language])]
    const template = settings.templateFor(format, variant)
    const answer = new Answer(renderFormat(format, entries, { language, variant, template }), 0, 0)
    const { body, encoding } = answer.as(encodingOf(request.headers['accept-encoding']))
    reply.headers({ ...sharedHeaders(wanted), ...refusalHeaders(reason, language) })
    if (encoding) reply.header('content-encoding', encoding)
    return reply.header('cache-control', 'no-store').type(answer.contentType).send(body)
  }
}
