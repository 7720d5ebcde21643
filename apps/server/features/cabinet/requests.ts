import { basePaths, cabinetCookie } from '@sallyport/contract/operation'
import { type CabinetPage, type CabinetPath, cabinetPages } from '@sallyport/domain/cabinet/pages'
import { cabinetReads } from '@sallyport/domain/cabinet/reads'
import { chosenLanguage, languageIn, type Theme, themeIn } from '@sallyport/domain/cabinet/visitor'
import { isLanguage, type Language } from '@sallyport/domain/text/language'
import type { FastifyRequest } from 'fastify'

/** What the document depends on. */
export interface Wanted {
  readonly language: Language
  readonly theme: Theme | undefined
  readonly screen: string
  readonly reads: readonly string[]
  readonly isSignedIn: boolean
}

/** Whether it is still good is for the API to say. */
const sessionPattern = new RegExp(`(?:^|;\\s*)(?:__Host-)?${cabinetCookie.replace('__Host-', '')}=[^;\\s]`)

export const hasSession = ({ headers }: FastifyRequest): boolean =>
  headers.cookie !== undefined && sessionPattern.test(headers.cookie)

const idPattern = /^[\w-]{1,64}$/

/** With the parameters of the page itself; nothing where they cannot be ids. */
const filled = (address: string, params: Readonly<Record<string, string>>): string[] => {
  const names = [...address.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  if (!names.every((name) => idPattern.test(params[name] ?? ''))) return []
  return [basePaths.v1 + address.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? '')]
}

/** What a page shows to somebody who has yet to sign in. */
const signIn: CabinetPage = cabinetPages.find(({ screen }) => screen === 'sign-in') as CabinetPage

/** What somebody chose here stays; a link may say in which language to begin. */
const languageOfPage = ({ headers, query }: FastifyRequest): Language => {
  const { lang } = query as { lang?: unknown }
  return chosenLanguage(headers.cookie) ?? (isLanguage(lang) ? lang : languageIn(headers))
}

const readsOf = ({ path }: CabinetPage): readonly string[] => cabinetReads[path as CabinetPath] ?? []

export const readRequest = (page: CabinetPage, request: FastifyRequest, readBy = readsOf): Wanted => {
  const { headers, params } = request
  const language = languageOfPage(request)
  const isSignedIn = hasSession(request)
  const shown = isSignedIn || page.isOpen ? page : signIn
  // Operations answer in the language of the request, and what a preload says about that is not ours to choose.
  const isUnderstood = language === languageIn(headers)
  return {
    language,
    theme: themeIn(headers.cookie),
    screen: shown.screen,
    reads: isUnderstood
      ? readBy(shown).flatMap((address) => filled(address, params as Readonly<Record<string, string>>))
      : [],
    isSignedIn,
  }
}
