import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { openApiDocument, openApiPath } from '@sallyport/contract/docs/openapi'
import { type Audience, audiences } from '@sallyport/contract/tables'
import { etagOf, namesEtag } from '@sallyport/domain/delivery/etag'
import { type Language, languageOf } from '@sallyport/domain/delivery/language'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { docsPage } from './docs.ts'
import { script, style } from './style.ts'

const source = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** Only our own style and script run, known by their hashes; the page loads nothing from anywhere. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src ${source(style)}`,
  `script-src ${source(script)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** One way to write down a text. */
interface Written {
  readonly body: string | Buffer
  readonly etag: string
}

interface Stored {
  readonly plain: Written
  readonly gzipped: Written
}

const gzipped = promisify(gzip)

const store = async (text: string): Promise<Stored> => {
  const etag = etagOf(text)
  return {
    plain: { body: text, etag },
    gzipped: { body: await gzipped(text), etag: etag.replace(/"$/, '-gzip"') },
  }
}

const takesGzip = (accepted: string | undefined): boolean =>
  (accepted ?? '').split(',').some((one) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(one))

const send = (request: FastifyRequest, reply: FastifyReply, type: string, stored: Stored): FastifyReply => {
  const isGzipped = takesGzip(request.headers['accept-encoding'])
  const { body, etag } = isGzipped ? stored.gzipped : stored.plain
  reply.headers({ etag, 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' })
  if (namesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (isGzipped) reply.header('content-encoding', 'gzip')
  return reply.type(type).send(body)
}

const isLanguage = (value: unknown): value is Language => value === 'ru' || value === 'en'

/** Makes a text when it is first asked for, and once. */
const keptOnce = <K>(make: (key: K) => string): ((key: K) => Promise<Stored>) => {
  const kept = new Map<K, Promise<Stored>>()
  return (key) => {
    const stored = kept.get(key) ?? store(make(key))
    kept.set(key, stored)
    return stored
  }
}

/** The API reference for people and for programs, open to anybody. */
export const docsRoutes = (app: FastifyInstance, publicUrl: () => string): void => {
  const pages = keptOnce((language: Language) => docsPage(language, publicUrl()))
  const documents = keptOnce((audience: Audience) => JSON.stringify(openApiDocument(audience)))

  app.get('/', async (_request, reply) => reply.redirect('/docs'))
  app.get<{ Querystring: { lang?: unknown } }>('/docs', async (request, reply) => {
    const { lang } = request.query
    const language = isLanguage(lang) ? lang : languageOf(request.headers['accept-language'])
    reply.headers({
      'content-security-policy': docsPolicy,
      'content-language': language,
      'referrer-policy': 'no-referrer',
      vary: 'accept-language, accept-encoding',
    })
    return send(request, reply, 'text/html; charset=utf-8', await pages(language))
  })

  for (const audience of audiences) {
    app.get(openApiPath(audience), async (request, reply) => {
      reply.headers({ 'access-control-allow-origin': '*', vary: 'accept-encoding' })
      return send(request, reply, 'application/json; charset=utf-8', await documents(audience))
    })
  }
}
