import type { Language } from '../../text/language.ts'
import { Html, html } from '../html.ts'
import type { QrImage } from '../qr/png.ts'
import { script } from './script.ts'
import { style } from './style.ts'
import { plainLine } from './words/plain-line.ts'
import { texts } from './words/texts.ts'

export const usualBrand = 'Sallyport'

export interface Framed {
  /** Of the window; never holds a key, for windows are listed in histories and shown to others. */
  readonly title: string
  readonly body: Html
  /** The query of this same page, without the language. */
  readonly query?: string
  readonly script?: string
  /** Whose page it is; null where that is not known. */
  readonly brand?: string | null | undefined
}

/** A whole document. Nothing it links to learns its address, which holds the key. */
export const frame = (language: Language, framed: Framed): string => {
  const other: Language = language === 'ru' ? 'en' : 'ru'
  const brand = framed.brand === null ? '' : plainLine(framed.brand ?? '') || usualBrand
  const query = framed.query === undefined ? '?' : `${framed.query}&`
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${plainLine(framed.title) || brand}</title><meta name="robots" content="noindex,nofollow"><meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no"><link rel="icon" href="/favicon.ico">
<style>${new Html(style)}</style></head>
<body><header class="top"><b>${brand}</b><a id="lang" href="${query}lang=${other}" lang="${other}" hreflang="${other}">${texts[language].otherLanguage}</a></header>
${framed.body}
<script>${new Html(framed.script ?? script)}</script></body></html>
`.text
}

/** A title that somebody chose, kept from turning around what stands beside it. */
export const titled = (title: string): Html => html`<bdi>${plainLine(title)}</bdi>`

/** Only web addresses and Telegram's become links; they may come from an operator's settings. */
export const outsideLink = (url: string | undefined, text: string, kind = ''): Html | false =>
  url !== undefined &&
  URL.canParse(url) &&
  /^(https?|tg|mailto):$/.test(new URL(url).protocol) &&
  html`<a class="b${kind}" href="${url}" rel="noreferrer">${text}</a>`

/** Modules keep one size when each is a whole number of pixels; so wide it fits on a phone. */
export const qrPicture = ({ src, side }: QrImage, alt: string): Html => {
  const width = side * Math.min(6, Math.floor(325 / side))
  return html`<img class="qr" src="${src}" width="${width}" height="${width}" alt="${plainLine(alt)}">`
}

/** A field to copy from by hand; the script adds the button that does it. */
export const copyField = (id: string, label: string, value: string, language: Language): Html => {
  const { copy, copied } = texts[language]
  const isLong = value.length > 90
  return html`<label for="${id}">${label}</label><div class="copy">${
    isLong
      ? html`<textarea id="${id}" rows="4" readonly spellcheck="false" autocomplete="off">${value}</textarea>`
      : html`<input id="${id}" value="${value}" readonly spellcheck="false" autocomplete="off">`
  }<button type="button" data-of="${id}" data-done="${copied}" hidden><span aria-live="polite">${copy}</span></button></div>`
}
