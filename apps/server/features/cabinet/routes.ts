import { per } from '@sallyport/contract/operation'
import { type CabinetPage, cabinetPages } from '@sallyport/domain/cabinet/pages'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { leastRecentlyUsed } from '../../core/least-recent.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { send, type Written, written } from './answers.ts'
import { brandRoutes } from './brand-routes.ts'
import type { CabinetBuild } from './build.ts'
import { closesConnections } from './connections.ts'
import { fileRoutes } from './file-routes.ts'
import { cabinetPage, cabinetPolicy } from './page.ts'
import { readRequest, type Wanted } from './requests.ts'
import type { CabinetSettings, CabinetSettingsSource } from './settings.ts'

/** The cabinet: one document at each of its addresses, and the files that it names. */

export interface CabinetParts {
  /** Undefined where it has not been built. */
  readonly build: CabinetBuild | undefined
  readonly settings: CabinetSettingsSource
  readonly limiter: Limiter
}

/** Many customers of a mobile network come from one address. */
export const pageLimit = per(600, 60)

/** Of each page in both languages and three themes, signed in and not, there are three hundred. */
const mostKept = 1000

const pageHeaders = ({ language }: Wanted, policy: string) => ({
  'content-security-policy': policy,
  'content-language': language,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cache-control': 'private, no-cache',
  vary: 'cookie, accept-language, accept-encoding',
})

const notBuilt = `Кабинет ещё не собран. Если это ваш сервис, выполните npm run build и запустите его снова.
The cabinet has not been built yet. If this service is yours, run npm run build and start it again.
`

const sendNotBuilt = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .headers({ 'cache-control': 'no-store', 'retry-after': '60' })
    .type('text/plain; charset=utf-8')
    .send(notBuilt)

/** Anybody can ask for it, so what it is for all who see the same is made once. */
class Pages {
  readonly #build: CabinetBuild
  readonly #made = leastRecentlyUsed<string, Written>(mostKept)

  constructor(build: CabinetBuild) {
    this.#build = build
  }

  find(wanted: Wanted, settings: CabinetSettings, policy: string): Written {
    const { language, theme, screen, asks } = wanted
    const name = [settings.version, language, theme, screen, ...asks].join(' ')
    const known = this.#made.get(name)
    if (known) return known
    const needed = this.#build.needed(screen, language)
    const text = cabinetPage({ language, theme, settings, needed, asks })
    const page = written('text/html; charset=utf-8', text, policy)
    this.#made.set(name, page)
    return page
  }
}

const pageRoute = (
  app: FastifyInstance,
  page: CabinetPage,
  pages: Pages | undefined,
  { settings, limiter }: CabinetParts,
): void => {
  app.get(page.path, async (request, reply) => {
    const { isAllowed, retryAfterSeconds } = await limiter.take(`cabinet:ip:${ipKey(request.ip)}`, pageLimit)
    if (!isAllowed) {
      reply.code(429).header('retry-after', retryAfterSeconds).type('text/plain; charset=utf-8')
      return reply.send('Too Many Requests\n')
    }
    if (!pages) return sendNotBuilt(reply)
    const now = await settings.latest()
    const wanted = readRequest(page, request)
    const policy = cabinetPolicy(now)
    reply.headers(pageHeaders(wanted, policy))
    if (now.closesConnections) reply.header('connection', 'close')
    return send(request, reply, pages.find(wanted, now, policy))
  })
}

export const cabinetRoutes = (app: FastifyInstance, parts: CabinetParts): void => {
  const { build, settings } = parts
  const pages = build && new Pages(build)
  for (const page of cabinetPages) pageRoute(app, page, pages, parts)
  app.register(async (files) => {
    closesConnections(files, settings)
    if (build) fileRoutes(files, build, settings)
    brandRoutes(files, settings)
  })
}
