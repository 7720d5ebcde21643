import { hash } from 'node:crypto'
import { isPlainOrigin } from '@sallyport/domain/brand/mirror'
import { type PageData, pageDataElement } from '@sallyport/domain/cabinet/page-data'
import type { Theme } from '@sallyport/domain/cabinet/visitor'
import { Html, html } from '@sallyport/domain/delivery/html'
import { plainLine } from '@sallyport/domain/delivery/page/words/plain-line'
import type { Language } from '@sallyport/domain/text/language'
import type { CabinetSettings } from '../../core/cabinet/cabinet-settings.ts'
import { jsonIn } from '../../core/web/document.ts'
import type { Needed } from '../../core/web/web-build.ts'
import { colourStyle } from './colours.ts'

/** The one document of the cabinet: it names everything that the screen needs, and holds nothing of the customer's. */

export interface Shown {
  readonly language: Language
  readonly theme: Theme | undefined
  readonly settings: CabinetSettings
  readonly needed: Needed
  /** What the screen reads at once. */
  readonly reads: readonly string[]
  readonly isSignedIn: boolean
  readonly origin: string
  readonly now: number
}

const hashOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** This service and its other addresses; an origin and nothing more, whatever else is written there. */
const connectSource = (mirrors: readonly string[]): string => {
  const origins = mirrors
    .filter((address) => URL.canParse(address))
    .map((address) => new URL(address).origin)
    .filter(isPlainOrigin)
  return ['connect-src', "'self'", ...origins].join(' ')
}

/** Our own files alone, and the operator's colours by their hash. Telegram on the web shows Mini Apps in a frame. */
export const cabinetPolicy = ({ palette, mirrors }: CabinetSettings): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${hashOf(colourStyle(palette))}`,
    "img-src 'self' data:",
    connectSource(mirrors),
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    'frame-ancestors https://web.telegram.org',
  ].join('; ')

/** The service worker asks for what pages ask for, by its own policy. */
export const workerPolicy = ({ mirrors }: CabinetSettings): string =>
  `default-src 'none'; ${connectSource(mirrors)}`

export const logoAddress = ({ logo }: CabinetSettings): string | null =>
  logo && `/brand/logo?v=${encodeURIComponent(logo.etag.replaceAll('"', ''))}`

const dataOf = ({ settings, language, isSignedIn, origin, now }: Shown): PageData => ({
  name: plainLine(settings.name),
  supportUrl: settings.supportUrl,
  welcome: settings.welcome[language],
  hasRules: settings.rules[language] !== null,
  hasLogo: settings.logo !== null,
  mirrors: settings.mirrors,
  isSignedIn,
  origin,
  now,
})

const withoutScripts: Readonly<Record<Language, string>> = {
  ru: 'Для работы кабинета нужен JavaScript: включите его в настройках браузера и обновите страницу.',
  en: 'The cabinet needs JavaScript: turn it on in the browser’s settings and reload the page.',
}

/** Shown after a while where scripts do not come: a connection that has frozen does not end by itself, and leaves others to be tried. */
const slow: Readonly<Record<Language, string>> = {
  ru: 'Страница загружается дольше обычного. Обновите её: со второго раза часто получается.',
  en: 'The page is taking longer than usual. Reload it: a second try often works.',
}

/** Fetched once when `fetch` asks in the same way: with cookies of its own origin, as it does unless told otherwise. */
const early = (address: string): Html => html`<link rel="preload" as="fetch" href="${address}" crossorigin>`

export const cabinetPage = (shown: Shown): string => {
  const { language, theme, settings, needed, reads } = shown
  const { entry, styles, modules, laterStyles } = needed
  // Browsers open six connections and ask in this order: what is large goes at once, what is small waits for one of them.
  const [longest, ...others] = reads
  return html`<!doctype html>
<html lang="${language}"${theme && html` data-theme="${theme}"`}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
<title>${plainLine(settings.name)}</title>
${styles.map((file) => html`<link rel="stylesheet" href="/${file}">`)}<style>${new Html(colourStyle(settings.palette))}</style>
<script type="module" src="/${entry}"></script>
${longest && early(longest)}${modules.map((file) => html`<link rel="modulepreload" href="/${file}">`)}
${laterStyles.map((file) => html`<link rel="preload" as="style" href="/${file}">`)}${others.map(early)}
<meta name="robots" content="noindex,nofollow"><meta name="referrer" content="no-referrer"><meta name="format-detection" content="telephone=no">
<link rel="icon" href="${logoAddress(settings) ?? '/brand/icon.svg'}"><link rel="apple-touch-icon" href="/brand/icon-180.png">
<link rel="manifest" href="/manifest.webmanifest"></head>
<body><div id="root"><p class="slow">${slow[language]}</p></div>
<noscript><p lang="ru">${withoutScripts.ru}</p><p lang="en">${withoutScripts.en}</p></noscript>
<script type="application/json" id="${pageDataElement}">${jsonIn(dataOf(shown))}</script></body></html>
`.text
}
