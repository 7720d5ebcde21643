import { readApp } from '@sallyport/domain/delivery/device'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../core/call.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { admitFetch } from './admission/admission.ts'
import { guessLimitOf, refuseUnknownKey } from './admission/guesses.ts'
import { noticeRefusal } from './admission/refusal.ts'
import { AppAnswers, type AppRequest } from './app-answers.ts'
import { openRoute } from './browser/open-route.ts'
import { PageCache } from './browser/page-cache.ts'
import { BrowserPages, type PageWish } from './browser/pages.ts'
import { AnswerCache } from './cache/answers.ts'
import { DeadNodes } from './cache/dead-nodes.ts'
import { memoizeText } from './cache/memoize.ts'
import { answerMemoryBudget, memoryOfMachine } from './cache/memory-budget.ts'
import { SettingsCache } from './cache/settings.ts'
import { DeliveryReader } from './entries.ts'
import { type Route, readFetchRequest } from './fetch-request.ts'
import { OwnerFinder } from './find-owner.ts'
import { type KeyFetch, withNamesWanted } from './key-fetch.ts'

const sendText = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${text}\n`)

type Noted = Pick<AppRequest, 'owner' | 'now'>

const appOf = memoizeText(readApp)

/** /sub/:key for client apps and browsers. Unknown, rotated and deleted keys are one and the same 404. */
export const deliveryRoutes = (
  app: FastifyInstance,
  services: Services,
  limiter: Limiter,
  publicUrl: () => string,
): void => {
  const finder = new OwnerFinder(services)
  const settingsCache = new SettingsCache(services.db)
  const deadNodes = new DeadNodes(services)
  const answers = new AnswerCache(answerMemoryBudget(memoryOfMachine()), services.caches.subscription_answers)
  const reader = new DeliveryReader(services)
  const apps = new AppAnswers(services.db, reader, answers)
  const pages = new BrowserPages(services, reader, new PageCache(answers, limiter), publicUrl)

  /** What an app was told. What is not the whole of it has no revision. */
  const noteFetch = (request: FastifyRequest, of: Noted, outcome: string, revision: number | null) => {
    const app = appOf(request.headers['user-agent'])
    services.fetches.note({ subscriptionId: of.owner.id, at: of.now, app, outcome, revision })
  }

  const sendEntries = async (
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: AppRequest,
    isBrowser: boolean,
  ) => {
    const answer = await apps.find(wanted)
    if (!answer) return sendText(reply, 404, 'There is no such entry')
    const isWhole = wanted.item === undefined && wanted.withheld.size === 0
    // Once all of it has left: an app that went away before has not got it.
    const note = () => {
      const outcome = reply.raw.statusCode === 304 ? 'not_modified' : 'served'
      try {
        noteFetch(request, wanted, outcome, isWhole ? answer.revision : null)
      } catch (err) {
        request.log.error({ err }, 'a fetch could not be noted')
      }
    }
    if (!isBrowser) reply.raw.once('finish', note)
    apps.send(request, reply, wanted, answer)
    return reply
  }

  const sendPage = async (
    request: FastifyRequest,
    reply: FastifyReply,
    wanted: PageWish,
    fetch: KeyFetch,
  ) => {
    const page = await pages.find(wanted, fetch)
    // The key is right, so that nothing is guessed here.
    return page
      ? pages.send(request, reply, page)
      : pages.sendNotFound(request, reply, wanted.settings, wanted.language)
  }

  app.get<Route>('/sub/:key', async (request, reply) => {
    const wanted = readFetchRequest(request)
    if ('problem' in wanted) return sendText(reply, 400, wanted.problem)
    const { language, item, offline, isBrowser } = wanted
    const { key } = request.params
    const anonymous = guessLimitOf(limiter, request)
    const notFound = () => {
      const isPage = wanted.choose(false).format === 'page'
      const page = async () => pages.sendNotFound(request, reply, await settingsCache.latest(), language)
      return refuseUnknownKey(services, anonymous, request, reply, isPage ? page : undefined)
    }

    const found = finder.fetchBy(key, request.headers, isBrowser)
    const owner = await finder.find(found, anonymous)
    if (!owner) return notFound()
    const settings = await settingsCache.of(owner.settings_version)
    const fetch = withNamesWanted(found, settings)
    const { format, variant } = wanted.choose(owner.is_template_enabled)
    const isPage = format === 'page'
    const waitSeconds = isPage ? await pages.waitOf(owner) : undefined
    if (waitSeconds !== undefined) {
      return sendText(reply.header('retry-after', waitSeconds), 429, 'Too Many Requests')
    }

    // A browser is no device: it is told of everything but the entries.
    const admission = await admitFetch(services, owner, fetch, isBrowser, isPage && item === undefined)
    if (!admission) return notFound()
    const { now } = fetch
    const source = { owner, settings, language, address: `${publicUrl()}/sub/${key}` }
    if ('refusal' in admission) {
      const { refusal } = admission
      if (isPage) return pages.refuse(request, reply, source, refusal)
      if (!isBrowser) {
        noteFetch(request, { owner, now }, refusal, null)
        await noticeRefusal(services.db, owner.user_id, refusal, now)
      }
      return apps.refuse(request, reply, { ...source, format, variant }, refusal)
    }

    const served = { ...source, ...admission, dead: await deadNodes.at(now), now, item, offline }
    if (!isPage) return sendEntries(request, reply, { ...served, format, variant }, isBrowser)
    const { isLanguageNamed } = wanted
    return sendPage(request, reply, { ...served, isLanguageNamed }, fetch)
  })

  openRoute(app, { pages, settingsCache, publicUrl })
}
