import { type Choice, chooseFormat, readNamed } from '@sallyport/domain/delivery/choice/choice'
import { type Language, languageOf } from '@sallyport/domain/delivery/language'
import { type OfflineChoice, readOfflineChoice } from '@sallyport/domain/delivery/offline'
import type { FastifyRequest } from 'fastify'
import { remembered } from './keeping/remembered.ts'

/** What a request for a subscription wishes, by its address and headers. */

export type Route = {
  Params: { key: string }
  Querystring: { format?: unknown; variant?: unknown; item?: unknown; lang?: unknown; offline?: unknown }
}

export interface Wished {
  readonly language: Language
  readonly isLanguageAsked: boolean
  /** One entry alone, counted from 1. */
  readonly item: number | undefined
  /** What becomes of servers that do not answer. */
  readonly offline: OfflineChoice
  /** What it is answered in, once it is known whether Xray's JSON is switched on. */
  readonly choose: (isTemplateEnabled: boolean) => Choice
}

const languageAsked = remembered(languageOf)

const itemShape = /^[1-9]\d{0,3}$/

const choices = remembered((asked = '') => {
  const [userAgent, accept = '', template, format, variant] = asked.split('\n')
  const named = format ? ({ format, ...(variant && { variant }) } as Choice) : undefined
  return chooseFormat({ userAgent, accept, isTemplateEnabled: template === 'true' }, named)
})

/** Headers hold no line breaks. */
const choiceOf = (userAgent = '', accept = '', isTemplateEnabled: boolean, named?: Choice): Choice =>
  choices(`${userAgent}\n${accept}\n${isTemplateEnabled}\n${named?.format ?? ''}\n${named?.variant ?? ''}`)

const isLanguage = (value: unknown): value is Language => value === 'ru' || value === 'en'

/** The one that the address names, else the caller's own. */
export const readLanguage = ({
  headers,
  query,
}: FastifyRequest<{ Querystring: { lang?: unknown } }>): Pick<Wished, 'language' | 'isLanguageAsked'> =>
  isLanguage(query.lang)
    ? { language: query.lang, isLanguageAsked: true }
    : { language: languageAsked(headers['accept-language']), isLanguageAsked: false }

/** The problem is told to whoever asks, whatever the key. */
export const readWished = (request: FastifyRequest<Route>): Wished | { problem: string } => {
  const { headers, query } = request
  const named = readNamed(query.format, query.variant)
  if (named && 'problem' in named) return named
  const { item } = query
  if (item !== undefined && !(typeof item === 'string' && itemShape.test(item))) {
    return { problem: 'item must be the number of an entry, from 1' }
  }
  const chosen = readOfflineChoice(query.offline)
  if ('problem' in chosen) return chosen
  const { 'user-agent': userAgent, accept } = headers
  return {
    ...readLanguage(request),
    item: item === undefined ? undefined : Number(item),
    offline: chosen.offline,
    choose: (isTemplateEnabled) => choiceOf(userAgent, accept, isTemplateEnabled, named),
  }
}
