import { hash } from 'node:crypto'
import { openApiDocument } from '@sallyport/contract/docs/openapi'
import { basePaths } from '@sallyport/contract/operation'
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

interface Stored {
  readonly body: string
  readonly etag: string
}

const store = (body: string): Stored => ({ body, etag: etagOf(body) })

const send = (
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  { body, etag }: Stored,
): FastifyReply => {
  reply.headers({ etag, 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' })
  return namesEtag(request.headers['if-none-match'], etag)
    ? reply.code(304).send()
    : reply.type(type).send(body)
}

const isLanguage = (value: unknown): value is Language => value === 'ru' || value === 'en'

/** The API reference for people and for programs. Both are made once, when first asked for. */
export const docsRoutes = (app: FastifyInstance, publicUrl: () => string): void => {
  const pages = new Map<Language, Stored>()
  let document: Stored | undefined

  app.get('/', async (_request, reply) => reply.redirect('/docs'))
  app.get<{ Querystring: { lang?: unknown } }>('/docs', async (request, reply) => {
    const { lang } = request.query
    const language = isLanguage(lang) ? lang : languageOf(request.headers['accept-language'])
    const page = pages.get(language) ?? store(docsPage(language, publicUrl()))
    pages.set(language, page)
    reply.headers({
      'content-security-policy': docsPolicy,
      'content-language': language,
      'referrer-policy': 'no-referrer',
      vary: 'accept-language',
    })
    return send(request, reply, 'text/html; charset=utf-8', page)
  })

  app.get(`${basePaths.v1}/openapi.json`, async (request, reply) => {
    document ??= store(JSON.stringify(openApiDocument()))
    reply.header('access-control-allow-origin', '*')
    return send(request, reply, 'application/json; charset=utf-8', document)
  })
}
