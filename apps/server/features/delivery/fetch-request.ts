import { type Choice, chooseFormat, readNamed } from '@sallyport/domain/delivery/choice/choice'
import { type OfflineChoice, readOfflineChoice } from '@sallyport/domain/delivery/offline'
import { type Language, languageOf } from '@sallyport/domain/text/language'
import type { FastifyRequest } from 'fastify'
import { memoizeText } from './cache/memoize.ts'

/** What a request for a subscription wishes, by its address and headers. */

export type Route = {
  Params: { key: string }
  Querystring: { format?: unknown; variant?: unknown; item?: unknown; lang?: unknown; offline?: unknown }
}

export interface FetchRequest {
  readonly language: Language
  readonly isLanguageNamed: boolean
  /** One entry alone, counted from 1. */
  readonly item: number | undefined
  /** What becomes of servers that do not answer. */
  readonly offline: OfflineChoice
  /** What it is answered in, once it is known whether Xray's JSON is switched on. */
  readonly choose: (isTemplateEnabled: boolean) => Choice
  /** By what it accepts, whatever format the address names. */
  readonly isBrowser: boolean
}

const languageAsked = memoizeText(languageOf)

const itemShape = /^[1-9]\d{0,3}$/

const choices = memoizeText((asked = '') => {
  const [userAgent, accept = '', template, format, variant] = asked.split('\n')
  const named = format ? ({ format, ...(variant && { variant }) } as Choice) : undefined
  return chooseFormat({ userAgent, accept, isTemplateEnabled: template === 'true' }, named)
})

/** Headers hold no line breaks. */
const choiceOf = (userAgent = '', accept = '', isTemplateEnabled: boolean, named?: Choice): Choice =>
  choices(`${userAgent}\n${accept}\n${isTemplateEnabled}\n${named?.format ?? ''}\n${named?.variant ?? ''}`)

/** Whatever else it says. */
const acceptsPage = memoizeText(
  (accept) => chooseFormat({ userAgent: undefined, accept, isTemplateEnabled: false }).format === 'page',
)

const isLanguage = (value: unknown): value is Language => value === 'ru' || value === 'en'

/** The one that the address names, else the caller's own. */
export const readLanguage = ({
  headers,
  query,
}: FastifyRequest<{ Querystring: { lang?: unknown } }>): Pick<
  FetchRequest,
  'language' | 'isLanguageNamed'
> =>
  isLanguage(query.lang)
    ? { language: query.lang, isLanguageNamed: true }
    : { language: languageAsked(headers['accept-language']), isLanguageNamed: false }

/** The problem is told to whoever asks, whatever the key. */
export const readFetchRequest = (request: FastifyRequest<Route>): FetchRequest | { problem: string } => {
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
    isBrowser: named?.format === 'page' || acceptsPage(accept),
  }
}
