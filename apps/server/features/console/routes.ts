import { per } from '@sallyport/contract/operation'
import { type Encoding, encode, encodingFor } from '@sallyport/domain/delivery/encoding'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import { relyingPartyOf } from '@sallyport/domain/identity/relying-party'
import { type Language, languageOf } from '@sallyport/domain/text/language'
import type { FastifyInstance } from 'fastify'
import type { Limiter } from '../../ports/limiter.ts'
import { pagePolicy, signInPage } from './page.ts'

/** Where the links of operators lead: a page that signs in and does what needs a browser, and nothing else. */

/** More than anybody opens. */
const pageLimit = per(60, 60)

const headersIn = (language: Language) => ({
  'content-security-policy': pagePolicy,
  'content-language': language,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'accept-language, accept-encoding',
})

export const consoleRoutes = (app: FastifyInstance, limiter: Limiter, publicUrl: () => string): void => {
  const made = new Map<string, Buffer>()
  /** Anybody can ask for it, so each form of it is made once. */
  const pageAs = (language: Language, encoding: Encoding | null): Buffer => {
    const name = `${language} ${encoding}`
    const known = made.get(name)
    if (known) return known
    const text = Buffer.from(signInPage(language, relyingPartyOf(publicUrl())?.origin))
    const body = encoding === null ? text : encode(text, encoding)
    made.set(name, body)
    return body
  }

  app.get<{ Querystring: { lang?: unknown } }>('/console/sign-in', async (request, reply) => {
    const { isAllowed, retryAfterSeconds } = await limiter.take(`console:ip:${ipKey(request.ip)}`, pageLimit)
    if (!isAllowed) {
      reply.code(429).header('retry-after', retryAfterSeconds).type('text/plain; charset=utf-8')
      return reply.send('Too Many Requests\n')
    }
    const { lang } = request.query
    const language = lang === 'ru' || lang === 'en' ? lang : languageOf(request.headers['accept-language'])
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding) reply.header('content-encoding', encoding)
    const page = pageAs(language, encoding)
    return reply.headers(headersIn(language)).type('text/html; charset=utf-8').send(page)
  })
}
