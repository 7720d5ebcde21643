import { cookieOf } from '../identity/cookie.ts'
import { isLanguage, type Language, languageOf } from '../text/language.ts'

/** What browsers keep of a customer's choices. Scripts write these cookies; nothing depends on them but looks. */
export const languageCookie = 'lang'
export const themeCookie = 'theme'

export type Theme = 'light' | 'dark'

/** What is said about the customer's language in a request. */
export interface Spoken {
  readonly cookie?: string | undefined
  readonly 'accept-language'?: string | undefined
}

export const chosenLanguage = (cookies: string | undefined): Language | undefined => {
  const chosen = cookieOf(cookies, languageCookie)
  return isLanguage(chosen) ? chosen : undefined
}

/** What was chosen in the cabinet comes before what the browser is set to. */
export const languageIn = (headers: Spoken): Language =>
  chosenLanguage(headers.cookie) ?? languageOf(headers['accept-language'])

/** Undefined where the system decides. */
export const themeIn = (cookies: string | undefined): Theme | undefined => {
  const chosen = cookieOf(cookies, themeCookie)
  return chosen === 'light' || chosen === 'dark' ? chosen : undefined
}
