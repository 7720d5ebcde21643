import { hash } from 'node:crypto'
import { openApiDocument, openApiPath } from '@sallyport/contract/docs/openapi'
import { tooManyRequests } from '@sallyport/contract/errors'
import { per } from '@sallyport/contract/operation'
import { audiences } from '@sallyport/contract/tables'
import { type Encoding, encode, encodingFor } from '@sallyport/domain/delivery/encoding'
import { etagOf, namesEtag } from '@sallyport/domain/delivery/etag'
import { ipKey } from '@sallyport/domain/identity/ip-key'
import { type Language, languageOf } from '@sallyport/domain/text/language'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Limiter } from '../../ports/limiter.ts'
import { failureBody } from '../wire/envelope.ts'
import { docsPage, operatorsPage, partPage } from './docs.ts'
import { parts } from './parts.ts'
import { script, style } from './style.ts'

const source = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** Only our own style and script run, known by their hashes; the page loads nothing from anywhere. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src ${source(style)}`,
  `script-src ${source(script)}`,
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** More than anybody reads, whoever shares the address with them. */
export const docsLimit = per(120, 60)

/** One way to write down a text. */
interface Written {
  readonly body: Buffer
  readonly etag: string
}

/** Made when it is first asked for, and each way to write it down once. */
class Text {
  readonly #make: () => string
  readonly #ways = new Map<Encoding | 'identity', Written>()

  constructor(make: () => string) {
    this.#make = make
  }

  as(encoding: Encoding | 'identity'): Written {
    const known = this.#ways.get(encoding)
    if (known) return known
    const written = encoding === 'identity' ? this.#plain() : this.#packed(encoding)
    this.#ways.set(encoding, written)
    return written
  }

  #plain(): Written {
    const body = Buffer.from(this.#make())
    return { body, etag: etagOf(body) }
  }

  #packed(encoding: Encoding): Written {
    const { body, etag } = this.as('identity')
    return { body: encode(body, encoding), etag: etag.replace(/"$/, `-${encoding}"`) }
  }
}

const send = (request: FastifyRequest, reply: FastifyReply, type: string, text: Text): FastifyReply => {
  const encoding = encodingFor(request.headers['accept-encoding'])
  const { body, etag } = text.as(encoding ?? 'identity')
  reply.headers({ etag, 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' })
  if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(type).send(body)
}

const languages = ['ru', 'en'] as const
const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)

/** The API reference for people and for programs, open to anybody. */
export const docsRoutes = (app: FastifyInstance, limiter: Limiter, publicUrl: () => string): void => {
  const pages = new Map(
    languages.map((language) => [language, new Text(() => docsPage(language, publicUrl()))]),
  )
  const partPages = new Map<string, Text>(
    languages.map((language) => [`${language}/operators`, new Text(() => operatorsPage(language))]),
  )
  const pageOf = (language: Language, name: string): Text | undefined => {
    const part = parts().find((one) => one.name === name)
    const address = `${language}/${name}`
    if (part && !partPages.has(address)) partPages.set(address, new Text(() => partPage(language, part)))
    return partPages.get(address)
  }

  const take = (request: FastifyRequest) => limiter.take(`docs:ip:${ipKey(request.ip)}`, docsLimit)

  const sendPage = async (request: FastifyRequest, reply: FastifyReply, language: Language, page: Text) => {
    const { isAllowed, retryAfterSeconds } = await take(request)
    if (!isAllowed) {
      reply.code(429).header('retry-after', retryAfterSeconds).type('text/plain; charset=utf-8')
      return reply.send('Too Many Requests\n')
    }
    reply.headers({
      'content-security-policy': docsPolicy,
      'content-language': language,
      'referrer-policy': 'no-referrer',
      vary: 'accept-language, accept-encoding',
    })
    return send(request, reply, 'text/html; charset=utf-8', page)
  }

  app.get<{ Querystring: { lang?: unknown } }>('/docs', async (request, reply) => {
    const { lang } = request.query
    const language = isLanguage(lang) ? lang : languageOf(request.headers['accept-language'])
    return sendPage(request, reply, language, pages.get(language) as Text)
  })
  app.get<{ Params: { language: string; part: string } }>('/docs/:language/:part', async (request, reply) => {
    const { language, part } = request.params
    const page = isLanguage(language) ? pageOf(language, part) : undefined
    if (!page) return reply.callNotFound()
    return sendPage(request, reply, language as Language, page)
  })

  for (const audience of audiences) {
    const document = new Text(() => JSON.stringify(openApiDocument(audience)))
    app.get(openApiPath(audience), async (request, reply) => {
      const { isAllowed, retryAfterSeconds } = await take(request)
      if (!isAllowed) {
        const { code, details } = tooManyRequests(retryAfterSeconds)
        reply.code(429).header('retry-after', retryAfterSeconds).type('application/json; charset=utf-8')
        return reply.send(failureBody(code, details))
      }
      reply.headers({ 'access-control-allow-origin': '*', vary: 'accept-encoding' })
      return send(request, reply, 'application/json; charset=utf-8', document)
    })
  }
}
