import { type PageData, pageDataElement } from '@sallyport/domain/cabinet/page-data'
import type { Theme } from '@sallyport/domain/cabinet/visitor'
import { html } from '@sallyport/domain/delivery/html'
import type { Language } from '@sallyport/domain/text/language'
import { jsonIn } from '../../core/web/document.ts'
import type { Needed } from '../../core/web/web-build.ts'

/** The one document of the console: it names the files that the screen needs, and holds nothing that is anybody's. */

export interface Shown {
  readonly language: Language
  readonly theme: Theme | undefined
  readonly needed: Needed
  /** What the service is called. */
  readonly name: string
  readonly origin: string
  readonly now: number
}

/** Where the files of the console are. */
export const filesBase = '/console/'

/** Nobody may frame it, and it asks this service alone: a script of somebody else would reach money. */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const dataOf = ({ name, origin, now }: Shown): PageData => ({
  name,
  supportUrl: null,
  welcome: null,
  hasRules: false,
  hasLogo: false,
  mirrors: [],
  isSignedIn: true,
  origin,
  now,
})

const withoutScripts: Readonly<Record<Language, string>> = {
  ru: 'Для работы консоли нужен JavaScript: включите его в настройках браузера и обновите страницу.',
  en: 'The console needs JavaScript: turn it on in the browser’s settings and reload the page.',
}

export const consoleDocument = (shown: Shown): string => {
  const { language, theme, name } = shown
  const { entry, styles, modules } = shown.needed
  return html`<!doctype html>
<html lang="${language}"${theme && html` data-theme="${theme}"`}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${name}</title>
${styles.map((file) => html`<link rel="stylesheet" href="${filesBase}${file}">`)}
<script type="module" src="${filesBase}${entry}"></script>
<link rel="preload" as="fetch" href="/operator/v1/me" crossorigin>
${modules.map((file) => html`<link rel="modulepreload" href="${filesBase}${file}">`)}
<meta name="robots" content="noindex,nofollow"><meta name="referrer" content="no-referrer"><meta name="format-detection" content="telephone=no">
<link rel="icon" href="/brand/icon.svg"></head>
<body><div id="root"></div>
<noscript><p>${withoutScripts[language]}</p></noscript>
<script type="application/json" id="${pageDataElement}">${jsonIn(dataOf(shown))}</script></body></html>
`.text
}
