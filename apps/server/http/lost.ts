import { chooseFormat } from '@sallyport/domain/delivery/choice/choice'
import { type Encoding, encode, encodingFor } from '@sallyport/domain/delivery/encoding'
import { lostPage } from '@sallyport/domain/delivery/page/notice-page'
import { pagePolicy } from '@sallyport/domain/delivery/page/policy'
import { type Language, languageOf } from '@sallyport/domain/text/language'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What a browser gets at an address that nothing stands at. Anybody can ask for it, so each form of it is made once. */

const made = new Map<string, Buffer>()

const bodyOf = (language: Language, encoding: Encoding | null): Buffer => {
  const name = `${language} ${encoding}`
  const known = made.get(name)
  if (known) return known
  const text = Buffer.from(lostPage(language))
  const body = encoding === null ? text : encode(text, encoding)
  made.set(name, body)
  return body
}

const languageIn = ({ raw, headers }: FastifyRequest): Language => {
  const asked = /[?&]lang=(ru|en)(?:&|$)/.exec(raw.url ?? '')?.[1]
  return asked === 'ru' || asked === 'en' ? asked : languageOf(headers['accept-language'])
}

export const isBrowser = ({ method, headers: { accept } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  chooseFormat({ userAgent: undefined, accept, isTemplateEnabled: false }).format === 'page'

export const sendLostPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding) reply.header('content-encoding', encoding)
  const headers = {
    'content-security-policy': pagePolicy,
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'cache-control': 'no-store',
    vary: 'accept, accept-language, accept-encoding',
  }
  const body = bodyOf(languageIn(request), encoding)
  return reply.code(404).headers(headers).type('text/html; charset=utf-8').send(body)
}
