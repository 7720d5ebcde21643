import { type CabinetPage, signInPage } from '@sallyport/domain/cabinet/pages'
import { chosenLanguage, languageIn, type Theme, themeIn } from '@sallyport/domain/cabinet/visitor'
import { isLanguage, type Language } from '@sallyport/domain/text/language'
import type { FastifyRequest } from 'fastify'

/** What the document depends on. */
export interface Wanted {
  readonly language: Language
  readonly theme: Theme | undefined
  readonly screen: string
  readonly asks: readonly string[]
}

/** Whether it is still good is for the API to say. */
const sessionPattern = /(?:^|;\s*)(?:__Host-)?sallyport-cabinet=[^;\s]/

export const hasSession = ({ headers }: FastifyRequest): boolean =>
  headers.cookie !== undefined && sessionPattern.test(headers.cookie)

const idPattern = /^[\w-]{1,64}$/

/** Undefined where the address of the page has no such id. */
const filled = (address: string, values: Readonly<Record<string, string>>): string | undefined => {
  const parts = address.split('/').map((part) => {
    if (!part.startsWith(':')) return part
    const value = values[part.slice(1)] ?? ''
    return idPattern.test(value) ? value : undefined
  })
  return parts.includes(undefined) ? undefined : parts.join('/')
}

/** What somebody chose here stays; a link may say in which language to begin. */
const languageOfPage = ({ headers, query }: FastifyRequest): Language => {
  const { lang } = query as { lang?: unknown }
  return chosenLanguage(headers.cookie) ?? (isLanguage(lang) ? lang : languageIn(headers))
}

export const readRequest = (page: CabinetPage, request: FastifyRequest): Wanted => {
  const { headers, params } = request
  const language = languageOfPage(request)
  const isSignedIn = hasSession(request)
  const shown = isSignedIn || page.isOpen ? page : signInPage
  const addresses = [...(shown.asksOpenly ?? []), ...(isSignedIn ? (shown.asks ?? []) : [])]
  // Operations answer in the language of the request, and what a preload says about that is not ours to choose.
  const isUnderstood = language === languageIn(headers)
  const asks = addresses
    .filter((address) => isUnderstood || !address.startsWith('/v1/'))
    .map((address) => filled(address, { ...(params as Record<string, string>), language }))
    .filter((address) => address !== undefined)
  return { language, theme: themeIn(headers.cookie), screen: shown.screen, asks }
}
