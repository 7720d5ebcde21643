import { per } from '@sallyport/contract/operation'
import { encodingFor } from '@sallyport/domain/delivery/encoding'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Limiter } from '../../../ports/limiter.ts'
import { Answer, type AnswerCache } from '../cache/answers.ts'
import type { DeadSet } from '../cache/dead-nodes.ts'
import { memoizeText } from '../cache/memoize.ts'
import type { Settings } from '../cache/settings.ts'
import type { Validity } from '../cache/validity.ts'
import { pageHeaders } from '../headers.ts'

/** Pages, which cost much to make: the same one is made once, and one key is shown so many a minute. */

/** More than anybody looks at. */
const pagesOfKey = per(60, 60)

/** One that may be kept, and what it is made of beside the revision. */
export interface CachedPage {
  readonly name: string
  readonly revision: number
  readonly settings: Settings
  readonly dead: DeadSet
  readonly told: string
  readonly now: number
  /** Undefined where there is none. */
  readonly make: () => Promise<MadePage | undefined>
}

export interface MadePage {
  readonly text: string
  readonly validUntil: number
  readonly validity: Validity
}

const answerOf = (text: string, revision = 0, validUntil = 0, validity?: Validity): Answer =>
  new Answer(
    { body: text, contentType: 'text/html; charset=utf-8', fileExtension: 'html' },
    revision,
    validUntil,
    validity,
  )

const encodingOf = memoizeText((accepted) => encodingFor(accepted) ?? 'identity')

const sendAnswer = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  status: number,
): FastifyReply => {
  const { body, encoding } = answer.as(encodingOf(request.headers['accept-encoding']))
  if (encoding) reply.header('content-encoding', encoding)
  return reply.code(status).headers(pageHeaders).type(answer.contentType).send(body)
}

/** The same for everybody as long as the operator's settings are. */
export interface SharedPage {
  readonly name: string
  readonly settings: Settings
  readonly status: number
  readonly make: () => string
}

export class PageCache {
  readonly #kept: AnswerCache
  readonly #limiter: Limiter

  constructor(kept: AnswerCache, limiter: Limiter) {
    this.#kept = kept
    this.#limiter = limiter
  }

  /** The seconds to wait, or undefined. */
  async waitOf(subscriptionId: number): Promise<number | undefined> {
    const taken = await this.#limiter.take(`page:${subscriptionId}`, pagesOfKey)
    return taken.isAllowed ? undefined : taken.retryAfterSeconds
  }

  /** Undefined where there is no such page. */
  async find(wanted: CachedPage): Promise<Answer | undefined> {
    const { name, revision, settings, dead, told, now } = wanted
    const found = this.#kept.find(name, revision, now)
    if (found?.validity?.holds(settings.version, dead, told)) return found
    return this.#kept.make(`${name} ${settings.version} ${told}`, revision, () => this.#make(wanted))
  }

  /** Kept with the form that was asked for. */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    answer: Answer,
    status = 200,
  ): FastifyReply {
    const sent = sendAnswer(request, reply, answer, status)
    this.#kept.keep(name, answer)
    return sent
  }

  sendShared(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, settings, status, make }: SharedPage,
  ): FastifyReply {
    const { version } = settings
    const answer = this.#kept.find(name, version, 0) ?? answerOf(make(), version, Number.POSITIVE_INFINITY)
    return this.send(request, reply, name, answer, status)
  }

  async #make({ revision, make }: CachedPage): Promise<Answer | undefined> {
    const made = await make()
    return made && answerOf(made.text, revision, made.validUntil, made.validity)
  }
}
