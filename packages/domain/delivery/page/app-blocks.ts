import type { Language } from '../../text/language.ts'
import { type App, type AppProtocol, type Platform, platforms, type Store } from '../apps/app.ts'
import { appsFor, leftOutBy, storesFor } from '../apps/choose.ts'
import { fillTemplate, importValues, type Placeholder, placeholders } from '../apps/import-link.ts'
import { escapeHtml, Html, html } from '../html.ts'
import { KeepLatest } from './keep-latest.ts'
import type { PageState, PageView } from './state.ts'
import { texts } from './words/texts.ts'

/**
 * What to install and what to press, a block for each platform. It is most of a page and the same for many, so that it is
 * written once with gaps where the links name the subscription.
 */

/** More than these stand folded: whoever sees ten apps chooses none. */
export const shownApps = 3

const storeButton = (store: Store, language: Language): Html => {
  const { install, inRegion } = texts[language]
  const where = store.region === undefined ? store.name : `${store.name}, ${inRegion[store.region]}`
  return html`<a class="b" href="${store.url}" rel="noreferrer">${install} <small>${where}</small></a>`
}

/** Where stores differ by country, a name vouches for its own listing only. */
const publisherOf = ({ publisher, region }: Store, language: Language): string | readonly string[] => {
  if (publisher === undefined) return []
  return region === undefined ? publisher : `${publisher} (${texts[language].inRegion[region]})`
}

/** What blocks depend on, beside the view. */
export interface Carried {
  readonly protocols: readonly AppProtocol[]
  readonly needsHwid: boolean
}

/** What a customer should know of the app before choosing it. */
export const remarks = (
  app: App,
  stores: readonly Store[],
  carried: Carried,
  language: Language,
): string[] => {
  const words = texts[language]
  const publishers = [...new Set(stores.flatMap((store) => publisherOf(store, language)))]
  const missing = leftOutBy(app, carried.protocols).map((protocol) => words.protocols[protocol])
  return [
    publishers.length > 0 && words.publisher(publishers.join(', ')),
    missing.length > 0 && words.leavesOut(missing.join(', ')),
    carried.needsHwid && app.hwid === 'switch' && words.switchHwid,
    app.importTemplate === null && words.oneByOne,
  ].filter((remark) => remark !== false)
}

/** No name and no template holds a control character. */
const gap = '\u0001'
const gaps = Object.fromEntries(placeholders.map((name, at) => [name, `${gap}${at}`])) as Record<
  Placeholder,
  string
>

const appRow = (app: App, platform: Platform, carried: Carried, language: Language): Html => {
  const words = texts[language]
  const stores = storesFor(app, platform)
  const added =
    app.importTemplate === null
      ? html`<a class="b" href="#entries">${words.chooseEntry}</a>`
      : html`<a class="b p" href="${fillTemplate(app.importTemplate, gaps)}" aria-label="${words.addTo(app.name)}">${words.add}</a>`
  return html`<li><i aria-hidden="true">${[...app.name][0]?.toUpperCase()}</i><h4>${app.name}</h4>
<div>${remarks(app, stores, carried, language).map((remark) => html`<small>${remark}</small>`)}</div>
<div class="acts">${stores.map((store) => storeButton(store, language))}${added}</div></li>
`
}

const protocolsOf = ({ entries, hidden }: PageState): AppProtocol[] => [
  ...new Set([...entries.map(({ protocol }) => protocol), ...hidden]),
]

const block = (
  platform: Platform,
  carried: Carried,
  { language, apps, platform: own }: PageView,
): Html | false => {
  const words = texts[language]
  const offered = appsFor(apps, { platform, ...carried })
  if (offered.length === 0) return false
  const rows = offered.map((app) => appRow(app, platform, carried, language))
  const folded = rows.slice(shownApps)
  return html`<details name="platform" id="${platform}"${platform === own && ' open'}><summary><h3>${words.platforms[platform]}</h3></summary>
${platform === 'tv' && html`<p class="dim">${words.tvHint}</p>`}<ul class="apps">${rows.slice(0, shownApps)}</ul>${
    folded.length > 0 &&
    html`<details><summary class="more">${words.moreApps(folded.length)}</summary><ul class="apps">${folded}</ul></details>`
  }</details>
`
}

/** The visitor's platform comes first, then the others as people have them. */
const written = (carried: Carried, view: PageView): Html => {
  const words = texts[view.language]
  const order = platforms.toSorted((a, b) => Number(b === view.platform) - Number(a === view.platform))
  return html`<section><h2>${words.connect}</h2><p class="dim">${words.connectHint}</p><div class="fold">${order.map(
    (platform) => block(platform, carried, view),
  )}</div></section>`
}

/** Text and numbers of placeholders in turn. */
const inParts = (text: string): readonly string[] => {
  const [first = '', ...rest] = text.split(gap)
  return [first, ...rest.flatMap((part) => [part.slice(0, 1), part.slice(1)])]
}

/** Of each arrangement of apps; some 50 KB each. */
const kept = new WeakMap<readonly App[], KeepLatest<readonly string[]>>()
const mostKept = 100

const partsOf = (carried: Carried, view: PageView): readonly string[] => {
  const ofApps = kept.get(view.apps) ?? new KeepLatest(mostKept)
  kept.set(view.apps, ofApps)
  const name = [view.language, view.platform, carried.needsHwid, ...carried.protocols].join(' ')
  return ofApps.of(name, () => inParts(written(carried, view).text))
}

export const appBlocks = (state: PageState, view: PageView): Html => {
  const { address, title, needsHwid } = state
  const parts = partsOf({ protocols: protocolsOf(state), needsHwid }, view)
  const values = importValues({ url: address, title })
  const filled = placeholders.map((name) => escapeHtml(values[name]))
  return new Html(parts.map((part, at) => (at % 2 === 0 ? part : filled[Number(part)])).join(''))
}
