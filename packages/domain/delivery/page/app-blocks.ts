import type { Language } from '../../text/language.ts'
import { type App, type AppProtocol, type Platform, platforms, type Store } from '../apps/app.ts'
import { appsFor, leftOutBy, storesFor } from '../apps/choose.ts'
import { importLink } from '../apps/import-link.ts'
import { type Html, html } from '../html.ts'
import type { PageState, PageView } from './state.ts'
import { texts } from './words/texts.ts'

/** What to install and what to press, a block for each platform. */

/** More than these stand folded: whoever sees ten apps chooses none. */
const shownApps = 3

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

/** What a customer should know of the app before choosing it. */
const remarks = (app: App, stores: readonly Store[], state: PageState, language: Language): string[] => {
  const words = texts[language]
  const publishers = [...new Set(stores.flatMap((store) => publisherOf(store, language)))]
  const missing = leftOutBy(app, protocolsOf(state)).map((protocol) => words.protocols[protocol])
  return [
    publishers.length > 0 && words.publisher(publishers.join(', ')),
    missing.length > 0 && words.leavesOut(missing.join(', ')),
    state.needsHwid && app.hwid === 'switch' && words.switchHwid,
    app.importTemplate === null && words.oneByOne,
  ].filter((remark) => remark !== false)
}

const appRow = (app: App, platform: Platform, state: PageState, language: Language): Html => {
  const words = texts[language]
  const stores = storesFor(app, platform)
  const link = importLink(app, { url: state.address, title: state.title })
  const added =
    link === null
      ? html`<a class="b" href="#entries">${words.chooseEntry}</a>`
      : html`<a class="b p" href="${link}" aria-label="${words.addTo(app.name)}">${words.add}</a>`
  return html`<li><i aria-hidden="true">${[...app.name][0]?.toUpperCase()}</i><h4>${app.name}</h4>
<div>${remarks(app, stores, state, language).map((remark) => html`<small>${remark}</small>`)}</div>
<div class="acts">${stores.map((store) => storeButton(store, language))}${added}</div></li>
`
}

const protocolsOf = ({ entries, hidden }: PageState): AppProtocol[] => [
  ...entries.map(({ protocol }) => protocol),
  ...hidden,
]

const block = (
  platform: Platform,
  state: PageState,
  { language, apps, platform: own }: PageView,
): Html | false => {
  const words = texts[language]
  const offered = appsFor(apps, { platform, protocols: protocolsOf(state), needsHwid: state.needsHwid })
  if (offered.length === 0) return false
  const rows = offered.map((app) => appRow(app, platform, state, language))
  const folded = rows.slice(shownApps)
  return html`<details name="platform" id="${platform}"${platform === own && ' open'}><summary><h3>${words.platforms[platform]}</h3></summary>
${platform === 'tv' && html`<p class="dim">${words.tvHint}</p>`}<ul class="apps">${rows.slice(0, shownApps)}</ul>${
    folded.length > 0 &&
    html`<details><summary class="more">${words.moreApps(folded.length)}</summary><ul class="apps">${folded}</ul></details>`
  }</details>
`
}

/** The visitor's platform comes first, then the others as people have them. */
export const appBlocks = (state: PageState, view: PageView): Html => {
  const words = texts[view.language]
  const order = platforms.toSorted((a, b) => Number(b === view.platform) - Number(a === view.platform))
  return html`<section><h2>${words.connect}</h2><p class="dim">${words.connectHint}</p><div class="fold">${order.map(
    (platform) => block(platform, state, view),
  )}</div></section>`
}
