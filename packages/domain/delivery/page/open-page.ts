import type { Language } from '../../text/language.ts'
import type { App, Platform, Store } from '../apps/app.ts'
import { storesFor } from '../apps/choose.ts'
import { type Html, html } from '../html.ts'
import { frame } from './frame.ts'
import { openScript } from './script.ts'
import { texts } from './words/texts.ts'

/** One that takes whole subscriptions by a link. */
export type OpenedApp = App & { readonly importTemplate: string }

export const canBeOpened = (app: App): app is OpenedApp => app.importTemplate !== null

export interface OpenView {
  readonly language: Language
  readonly platform: Platform | undefined
  /** What stands before the key in the address that apps fetch, "https://…/sub/". */
  readonly addressBase: string
  /** What the app will call the subscription. */
  readonly title: string
}

/** The platforms are named to whoever did not say which is theirs. */
const storeLink = (store: Store, isOwn: boolean, language: Language): Html => {
  const words = texts[language]
  const names = isOwn ? [] : store.platforms.map((platform) => words.platforms[platform])
  const where = [...names, ...(store.region === undefined ? [] : [words.inRegion[store.region]])].join(', ')
  return html`<a class="b" href="${store.url}" rel="noreferrer">${store.name}${where !== '' && html` <small>${where}</small>`}</a>`
}

/**
 * /open/<app>#<key>. Telegram's own browser does nothing with the links of apps, so it is sent here, to an outside one. The
 * app is from the catalogue and the button waits for a tap: that opens apps everywhere, a redirect does not.
 */
export const openPage = (app: OpenedApp, { language, platform, addressBase, title }: OpenView): string => {
  const words = texts[language]
  const own = platform === undefined ? [] : storesFor(app, platform)
  const stores = own.length > 0 ? own : app.stores
  const body = html`<main class="one"><section class="state good"><div class="sign" aria-hidden="true">${[...app.name][0]?.toUpperCase()}</div>
<h1>${words.openTitle(app.name)}</h1><div id="ready" hidden><p>${words.openHint(app.name)}</p>
<div class="go"><a class="b p" id="go" data-template="${app.importTemplate}" data-base="${addressBase}" data-name="${encodeURIComponent(title.toWellFormed())}">${words.openButton(app.name)}</a></div></div>
<p id="bad" hidden>${words.openBadKey}</p><noscript><p class="fact">${words.openNoScript}</p></noscript></section>
${stores.length > 0 && html`<section><h2>${words.openMissing(app.name)}</h2><div class="acts">${stores.map((store) => storeLink(store, own.length > 0, language))}</div></section>`}</main>`
  return frame(language, { title: words.openTitle(app.name), body, script: openScript, brand: title })
}
