import { per } from '@sallyport/contract/operation'
import { type CabinetPage, cabinetPages } from '@sallyport/domain/cabinet/pages'
import { type Encoding, encode, encodingFor } from '@sallyport/domain/delivery/encoding'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import type { Language } from '@sallyport/domain/text/language'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { CabinetSettings } from '../../core/cabinet/cabinet-settings.ts'
import { leastRecentlyUsed } from '../../core/least-recent.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { brandRoutes } from './brand-routes.ts'
import type { CabinetBuild } from './build.ts'
import { closesConnections } from './connections.ts'
import { fileRoutes } from './file-routes.ts'
import { cabinetPage, cabinetPolicy, type Shown } from './page.ts'
import { readRequest } from './requests.ts'
import type { SettingsSource } from './settings-source.ts'

/** The cabinet: one document at each of its addresses, and the files that it names. */

export interface CabinetParts {
  /** Undefined where it has not been built. */
  readonly build: CabinetBuild | undefined
  readonly settings: SettingsSource
  readonly limiter: Limiter
  readonly clock: Clock
  readonly publicUrl: () => string
}

/** Many customers of a mobile network come from one address. */
export const pageLimit = per(600, 60)

/** In the second in which they were made: many who come at once get one and the same. */
const mostKept = 200

/** It says who is signed in and what time it is, so that an older one is never shown again. */
const pageHeaders = (language: Language, settings: CabinetSettings) => ({
  'content-security-policy': cabinetPolicy(settings),
  'content-language': language,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cache-control': 'no-store',
  vary: 'cookie, accept-language, accept-encoding',
  ...(settings.closesConnections && { connection: 'close' }),
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

class Pages {
  readonly #build: CabinetBuild
  readonly #made = leastRecentlyUsed<string, Buffer>(mostKept)

  constructor(build: CabinetBuild) {
    this.#build = build
  }

  find(shown: Omit<Shown, 'needed'>, screen: string, encoding: Encoding | null): Buffer {
    const { settings, language, theme, isSignedIn, reads, now } = shown
    const name = [settings.version, language, theme, isSignedIn, screen, ...reads, now, encoding].join(' ')
    const known = this.#made.get(name)
    if (known) return known
    const needed = this.#build.needed(screen, language)
    const text = Buffer.from(cabinetPage({ ...shown, needed }))
    const page = encoding === null ? text : encode(text, encoding)
    this.#made.set(name, page)
    return page
  }
}

const pageRoute = (
  app: FastifyInstance,
  page: CabinetPage,
  pages: Pages | undefined,
  { settings, limiter, clock, publicUrl }: CabinetParts,
): void => {
  app.get(page.path, async (request, reply) => {
    const { isAllowed, retryAfterSeconds } = await limiter.take(`cabinet:ip:${ipKey(request.ip)}`, pageLimit)
    if (!isAllowed) {
      reply.code(429).header('retry-after', retryAfterSeconds).type('text/plain; charset=utf-8')
      return reply.send('Too Many Requests\n')
    }
    if (!pages) return sendNotBuilt(reply)
    const { screen, ...wanted } = readRequest(page, request)
    const shown = { ...wanted, settings: await settings.latest(), origin: publicUrl(), now: clock.now() }
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding) reply.header('content-encoding', encoding)
    reply.headers(pageHeaders(shown.language, shown.settings)).type('text/html; charset=utf-8')
    return reply.send(pages.find(shown, screen, encoding))
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
