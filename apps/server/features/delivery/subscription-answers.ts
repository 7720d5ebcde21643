import { readApp } from '@sallyport/domain/delivery/device'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../core/call.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { admitFetch } from './admission/admission.ts'
import { guessLimitOf, refuseUnknownKey } from './admission/guesses.ts'
import { noticeRefusal } from './admission/refusal.ts'
import { AppAnswers, type AppRequest } from './app-answers.ts'
import { PageCache } from './browser/page-cache.ts'
import { BrowserPages, type PageWish } from './browser/pages.ts'
import { AnswerCache } from './cache/answers.ts'
import { DeadNodes } from './cache/dead-nodes.ts'
import { memoizeText } from './cache/memoize.ts'
import { answerMemoryBudget, memoryOfMachine } from './cache/memory-budget.ts'
import { SettingsCache } from './cache/settings.ts'
import { DeliveryReader } from './entries.ts'
import { type FetchRequest, type Route, readFetchRequest } from './fetch-request.ts'
import { OwnerFinder } from './find-owner.ts'
import { type KeyFetch, withNamesWanted } from './key-fetch.ts'

const sendText = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${text}\n`)

const appOf = memoizeText(readApp)

type Refusing = Parameters<AppAnswers['refuse']>[2]
type Refusal = Parameters<AppAnswers['refuse']>[3]

interface Asked {
  readonly request: FastifyRequest<Route>
  readonly reply: FastifyReply
  readonly wanted: FetchRequest
  readonly anonymous: ReturnType<typeof guessLimitOf>
}

/** What a subscription's key is answered with: entries for an app, a page for a browser, or why there is nothing. */
export class SubscriptionAnswers {
  readonly pages: BrowserPages
  readonly settingsCache: SettingsCache
  readonly #services: Services
  readonly #limiter: Limiter
  readonly #publicUrl: () => string
  readonly #finder: OwnerFinder
  readonly #deadNodes: DeadNodes
  readonly #apps: AppAnswers

  constructor(services: Services, limiter: Limiter, publicUrl: () => string) {
    const answers = new AnswerCache(
      answerMemoryBudget(memoryOfMachine()),
      services.caches.subscription_answers,
    )
    const reader = new DeliveryReader(services)
    this.#services = services
    this.#limiter = limiter
    this.#publicUrl = publicUrl
    this.#finder = new OwnerFinder(services)
    this.#deadNodes = new DeadNodes(services)
    this.#apps = new AppAnswers(services.db, reader, answers)
    this.pages = new BrowserPages(services, reader, new PageCache(answers, limiter), publicUrl)
    this.settingsCache = new SettingsCache(services.db)
  }

  async answer(request: FastifyRequest<Route>, reply: FastifyReply): Promise<FastifyReply> {
    const wanted = readFetchRequest(request)
    if ('problem' in wanted) return sendText(reply, 400, wanted.problem)
    const { language, item, offline, isBrowser, isLanguageNamed } = wanted
    const { key } = request.params
    const anonymous = guessLimitOf(this.#limiter, request)
    const asked = { request, reply, wanted, anonymous }
    const found = this.#finder.fetchBy(key, request.headers, isBrowser)
    const owner = await this.#finder.find(found, anonymous)
    if (!owner) return this.#refuseKey(asked)
    const settings = await this.settingsCache.of(owner.settings_version)
    const fetch = withNamesWanted(found, settings)
    const { format, variant } = wanted.choose(owner.is_template_enabled)
    const isPage = format === 'page'
    const waitSeconds = isPage ? await this.pages.waitOf(owner) : undefined
    if (waitSeconds !== undefined) {
      return sendText(reply.header('retry-after', waitSeconds), 429, 'Too Many Requests')
    }

    // A browser is no device: it is told of everything but the entries.
    const admission = await admitFetch(this.#services, owner, fetch, isBrowser, isPage && item === undefined)
    if (!admission) return this.#refuseKey(asked)
    const { now } = fetch
    const source = { owner, settings, language, address: `${this.#publicUrl()}/sub/${key}` }
    if ('refusal' in admission) {
      if (isPage) return this.pages.refuse(request, reply, source, admission.refusal)
      return this.#refuseApp(asked, { ...source, format, variant }, admission.refusal, now)
    }
    const served = { ...source, ...admission, dead: await this.#deadNodes.at(now), now, item, offline }
    if (!isPage) return this.#sendEntries(asked, { ...served, format, variant })
    return this.#sendPage(asked, { ...served, isLanguageNamed }, fetch)
  }

  /** Unknown, rotated and deleted keys are one and the same 404. */
  #refuseKey({ request, reply, wanted, anonymous }: Asked): Promise<FastifyReply> {
    const isPage = wanted.choose(false).format === 'page'
    const page = async () =>
      this.pages.sendNotFound(request, reply, await this.settingsCache.latest(), wanted.language)
    return refuseUnknownKey(this.#services, anonymous, request, reply, isPage ? page : undefined)
  }

  async #refuseApp(
    { request, reply, wanted: { isBrowser } }: Asked,
    of: Refusing,
    refusal: Refusal,
    now: number,
  ): Promise<FastifyReply> {
    if (!isBrowser) {
      this.#noteFetch(request, { owner: of.owner, now }, refusal, null)
      await noticeRefusal(this.#services.db, of.owner.user_id, refusal, now)
    }
    return this.#apps.refuse(request, reply, of, refusal)
  }

  /** What an app was told. What is not the whole of it has no revision. */
  #noteFetch(
    request: FastifyRequest,
    of: Pick<AppRequest, 'owner' | 'now'>,
    outcome: string,
    revision: number | null,
  ): void {
    const app = appOf(request.headers['user-agent'])
    this.#services.fetches.note({ subscriptionId: of.owner.id, at: of.now, app, outcome, revision })
  }

  async #sendEntries(
    { request, reply, wanted: { isBrowser } }: Asked,
    wanted: AppRequest,
  ): Promise<FastifyReply> {
    const answer = await this.#apps.find(wanted)
    if (!answer) return sendText(reply, 404, 'There is no such entry')
    const isWhole = wanted.item === undefined && wanted.withheld.size === 0
    // Once all of it has left: an app that went away before has not got it.
    const note = () => {
      const outcome = reply.raw.statusCode === 304 ? 'not_modified' : 'served'
      try {
        this.#noteFetch(request, wanted, outcome, isWhole ? answer.revision : null)
      } catch (err) {
        request.log.error({ err }, 'a fetch could not be noted')
      }
    }
    if (!isBrowser) reply.raw.once('finish', note)
    this.#apps.send(request, reply, wanted, answer)
    return reply
  }

  async #sendPage({ request, reply }: Asked, wanted: PageWish, fetch: KeyFetch): Promise<FastifyReply> {
    const page = await this.pages.find(wanted, fetch)
    // The key is right, so that nothing is guessed here.
    return page
      ? this.pages.send(request, reply, page)
      : this.pages.sendNotFound(request, reply, wanted.settings, wanted.language)
  }
}
