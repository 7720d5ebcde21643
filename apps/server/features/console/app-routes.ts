import { consoleCookie, per } from '@sallyport/contract/operation'
import { languageIn, themeIn } from '@sallyport/domain/cabinet/visitor'
import { type ConsolePage, consolePages } from '@sallyport/domain/console/pages'
import { encode, encodingFor } from '@sallyport/domain/delivery/encoding'
import { plainLine } from '@sallyport/domain/delivery/page/words/plain-line'
import { cookieOf } from '@sallyport/domain/identity/cookie'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import type { FastifyInstance } from 'fastify'
import { send } from '../../core/web/answers.ts'
import { fileHeaders } from '../../core/web/document.ts'
import type { WebBuild } from '../../core/web/web-build.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Limiter } from '../../ports/limiter.ts'
import { consoleDocument, consolePolicy, filesBase } from './document.ts'

/** The console: one document at each of its addresses, and the files that it names. */

export interface ConsoleParts {
  /** Undefined where it has not been built. */
  readonly build: WebBuild | undefined
  readonly limiter: Limiter
  readonly clock: Clock
  readonly publicUrl: () => string
  /** What the service is called. */
  readonly name: () => Promise<string>
}

const pageLimit = per(600, 60)

const pageHeaders = {
  'content-security-policy': consolePolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'cookie, accept-language, accept-encoding',
}

const notBuilt = `Консоль ещё не собрана. Если это ваш сервис, выполните npm run build и запустите его снова.
The console has not been built yet. If this service is yours, run npm run build and start it again.
`

const pageRoute = (app: FastifyInstance, page: ConsolePage, parts: ConsoleParts): void => {
  const { build, limiter, clock, publicUrl, name } = parts
  app.get(page.path, async (request, reply) => {
    const { isAllowed, retryAfterSeconds } = await limiter.take(`console:ip:${ipKey(request.ip)}`, pageLimit)
    if (!isAllowed) {
      reply.code(429).header('retry-after', retryAfterSeconds).type('text/plain; charset=utf-8')
      return reply.send('Too Many Requests\n')
    }
    reply.headers(pageHeaders)
    // Whether the session is still good is for the API to say.
    if (cookieOf(request.headers.cookie, consoleCookie) === undefined) {
      return reply.redirect(`/console/sign-in?to=${encodeURIComponent(request.url)}`, 303)
    }
    if (!build) {
      reply.code(503).header('retry-after', 60).type('text/plain; charset=utf-8')
      return reply.send(notBuilt)
    }
    const language = languageIn(request.headers)
    const theme = themeIn(request.headers.cookie)
    const needed = build.needed(page.screen, language)
    const shown = { language, theme, needed, origin: publicUrl(), now: clock.now() }
    const text = Buffer.from(consoleDocument({ ...shown, name: plainLine(await name()) }))
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding) reply.header('content-encoding', encoding)
    reply.header('content-language', language).type('text/html; charset=utf-8')
    return reply.send(encoding === null ? text : encode(text, encoding))
  })
}

export const consoleAppRoutes = (app: FastifyInstance, parts: ConsoleParts): void => {
  for (const page of consolePages) pageRoute(app, page, parts)
  for (const [name, file] of parts.build?.files ?? []) {
    app.get(`${filesBase}${name}`, async (request, reply) => send(request, reply.headers(fileHeaders), file))
  }
}
