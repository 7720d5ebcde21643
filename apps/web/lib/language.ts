import { translator, type Words } from './words.ts'

/** Each language has a build of its own, so that nobody loads the other one's texts. Changing it loads the page anew. */

declare const __LANGUAGE__: 'ru' | 'en' | undefined

export const language = typeof __LANGUAGE__ === 'undefined' ? 'en' : __LANGUAGE__

/** `words` come from `words.en.ts`; the Russian build takes `words.ru.ts` beside it. */
export const sayIn = <const W extends Words>(words: W) => translator(words, language)

const yearSeconds = 31_536_000

/** Telegram on the web shows the cabinet in a frame, where browsers keep only cookies that are said to be the frame's own. */
const place = (): string => (window.parent === window ? 'SameSite=Lax' : 'SameSite=None; Secure; Partitioned')

export const remember = (name: 'lang' | 'theme', value: string): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: the service reads it with the page, and old WebViews have no cookieStore.
  document.cookie = `${name}=${value}; Path=/; Max-Age=${yearSeconds}; ${place()}`
}

export const changeLanguage = (): void => {
  remember('lang', language === 'ru' ? 'en' : 'ru')
  location.reload()
}
