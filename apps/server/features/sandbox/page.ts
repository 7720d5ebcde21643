import { hash } from 'node:crypto'
import { Html, html } from '@sallyport/domain/delivery/html'
import { decimalsOf, shown } from '@sallyport/domain/money/money'
import type { Language } from '@sallyport/domain/text/language'
import type { SandboxPayment } from './queries.ts'
import { type State, stateAt } from './state.ts'
import { style } from './style.ts'
import { texts } from './texts.ts'

/** Only our own style is let through, known by its hash; the page loads nothing and runs nothing. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const refreshSeconds = 3

const frame = (language: Language, body: Html, refreshAfterSeconds?: number): string => {
  const words = texts[language]
  const other: Language = language === 'ru' ? 'en' : 'ru'
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${words.title} · Sallyport</title><meta name="robots" content="noindex"><link rel="icon" href="data:,">
${refreshAfterSeconds !== undefined && html`<meta http-equiv="refresh" content="${refreshAfterSeconds}">`}
<style>${new Html(style)}</style></head>
<body><header class="top"><b>Sallyport</b><i>${words.sandbox}</i><span></span>
<a href="?lang=${other}" lang="${other}" hreflang="${other}">${words.otherLanguage}</a></header>
<main><section class="card">${body}</section></main></body></html>
`.text
}

/** Money that the language itself knows how to write; the others stand before their own sign. */
const isCash = (currency: string): boolean => currency === 'RUB' || currency === 'USD'
const signOf = (currency: string): string => (currency === 'XTR' ? '★' : currency)

const amountOf = ({ amount, currency }: SandboxPayment, language: Language): Html => {
  const places = decimalsOf(currency)
  const { format } = new Intl.NumberFormat(language, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
    ...(isCash(currency) && { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
  })
  const number = format(shown(amount, currency))
  const text = isCash(currency) ? number : `${number}\u00a0${signOf(currency)}`
  return html`<p class="amount">${text}${!text.includes(currency) && html` <small>${currency}</small>`}</p>`
}

const what = (payment: SandboxPayment, language: Language): Html =>
  html`<h1>${language === 'ru' ? payment.title_ru : payment.title_en}</h1>${amountOf(payment, language)}`

/** Whole minutes, and seconds when only they are left. */
const timeLeft = (seconds: number, language: Language): string =>
  seconds > 60 ? texts[language].minutes(Math.ceil(seconds / 60)) : texts[language].seconds(seconds)

const details = (payment: SandboxPayment, language: Language, secondsLeft?: number): Html =>
  html`<dl><dt>${texts[language].payment}</dt><dd>${payment.payment_id}</dd>
${secondsLeft !== undefined && html`<dt>${texts[language].timeLeft}</dt><dd>${timeLeft(secondsLeft, language)}</dd>`}</dl>`

/** The address came from outside this provider, so nothing but a web address becomes a link. */
const backLink = ({ return_url }: SandboxPayment, language: Language, tone = ''): Html | false =>
  URL.canParse(return_url) &&
  /^https?:$/.test(new URL(return_url).protocol) &&
  html`<a class="back ${tone}" href="${return_url}" rel="noreferrer">${texts[language].back}</a>`

const pendingBody = (payment: SandboxPayment, language: Language, secondsLeft: number): Html => {
  const words = texts[language]
  return html`${what(payment, language)}
<p class="note">${words.note}</p>${details(payment, language, secondsLeft)}
<form method="post"><button class="primary" name="action" value="pay">${words.pay}</button>
<button name="action" value="later">${words.later}</button>
<button class="refuse" name="action" value="decline">${words.decline}</button></form>
${backLink(payment, language)}`
}

const signs: Readonly<Record<Exclude<State, 'pending'>, readonly [tone: string, sign: string]>> = {
  later: ['wait', '◷'],
  succeeded: ['good', '✓'],
  declined: ['bad', '✕'],
  refunded: ['wait', '↩'],
  expired: ['bad', '◷'],
}

const stateBody = (payment: SandboxPayment, language: Language, state: keyof typeof signs, now: number) => {
  const words = texts[language]
  const [tone, sign] = signs[state]
  const said = words.states[state]
  const wait = state === 'later' && payment.pay_at !== null && words.willBePaid(payment.pay_at - now)
  return html`<div class="state ${tone}"><div class="sign" aria-hidden="true">${sign}</div>
<h2>${said.heading}</h2><p>${wait && html`${wait} `}${said.text}</p></div>
${what(payment, language)}${details(payment, language)}
${
  state === 'later' &&
  payment.expires_at > now &&
  html`<form method="post"><button class="primary" name="action" value="pay">${words.payNow}</button>
<button class="refuse" name="action" value="decline">${words.decline}</button></form>`
}
${backLink(payment, language, state === 'later' ? '' : 'primary')}`
}

/** The hosted page of one payment as it is at that moment. */
export const paymentPage = (payment: SandboxPayment, language: Language, now: number): string => {
  const state = stateAt(payment, now)
  if (state === 'pending') {
    const secondsLeft = payment.expires_at - now
    return frame(language, pendingBody(payment, language, secondsLeft), secondsLeft)
  }
  const body = stateBody(payment, language, state, now)
  return state === 'later' ? frame(language, body, refreshSeconds) : frame(language, body)
}

export const unknownPaymentPage = (language: Language): string => {
  const { heading, text } = texts[language].unknown
  return frame(
    language,
    html`<div class="state bad"><div class="sign" aria-hidden="true">?</div><h2>${heading}</h2><p>${text}</p></div>`,
  )
}
