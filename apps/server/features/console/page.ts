import { hash } from 'node:crypto'
import { roles } from '@sallyport/contract/operation'
import { Html, html } from '@sallyport/domain/delivery/html'
import type { Language } from '@sallyport/domain/text/language'
import { script } from './script.ts'
import { style } from './style.ts'
import { type Message, texts } from './words.ts'

const hashOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`

/** Our own style and script, known by their hashes, which ask nobody but this service. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const command = html`<code>sallyport operator sign-in-link ID</code>`
const good: readonly Message[] = ['added', 'confirmed', 'left']

const message = (name: Message, text: string): Html =>
  html`<p data-name="${name}" class="${good.includes(name) && 'good'}" hidden>${text}${name === 'used' && command}${
    name === 'said' && html`<span></span>`
  }</p>`

const meSection = (language: Language): Html => {
  const { me, roles: roleWords } = texts[language]
  const attributes = roles.map((role) => html` data-${role}="${roleWords[role]}"`)
  return html`<section id="me" hidden><h1>${me.heading}</h1>
<p class="who"><b id="name"></b><span id="role"${attributes}></span></p>
<dl><dt>${me.passkeys}</dt><dd><ul id="passkeys"></ul><span id="none">${me.noPasskey}</span></dd>
<dt>${me.proof}</dt><dd id="proof" data-proved="${me.proved}" data-not="${me.notProved}"></dd></dl>
<div class="acts"><a class="button" href="/console">${me.open}</a><button id="add">${me.add}</button><button id="prove">${me.prove}</button><button id="out">${me.signOut}</button></div>
<p class="dim"><a href="/docs/${language}/operators">${me.reference}</a></p></section>`
}

/** Every state of the page is in it, hidden; `origin` is the only one whose passkeys work. */
export const signInPage = (language: Language, origin: string | undefined): string => {
  const { title, otherLanguage, withLink, withPasskey, noScript, messages } = texts[language]
  const other: Language = language === 'ru' ? 'en' : 'ru'
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · Sallyport</title><meta name="robots" content="noindex,nofollow"><meta name="referrer" content="no-referrer">
<link rel="icon" href="/favicon.ico"><style>${new Html(style)}</style></head>
<body data-origin="${origin}"><header><b>Sallyport</b><a id="lang" href="/console/sign-in?lang=${other}" lang="${other}" hreflang="${other}">${otherLanguage}</a></header>
<main><noscript><p>${noScript}</p></noscript>
<div id="say" role="status">${Object.entries(messages).map(([name, text]) => message(name as Message, text))}</div>
<section id="link" hidden><h1>${title}</h1><p>${withLink.text}</p><button id="enter" class="p">${withLink.button}</button></section>
<section id="key" hidden><h1>${title}</h1><p>${withPasskey.text}</p><button id="sign" class="p">${withPasskey.button}</button>
<p class="dim">${withPasskey.lost}${command}</p></section>
${meSection(language)}</main>
<script>${new Html(script)}</script></body></html>
`.text
}
