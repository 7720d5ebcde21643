import type { Language } from '../../text/language.ts'
import { type Html, html } from '../html.ts'
import { offlineChoices, usualOfflineChoice } from '../offline.ts'
import { type QrImage, qrImage } from '../qr/png.ts'
import { appBlocks } from './app-blocks.ts'
import { copyField, frame, outsideLink, qrPicture, titled } from './frame.ts'
import { KeepLatest } from './keep-latest.ts'
import { noticeOf } from './notice-page.ts'
import { type PageEntry, type PageState, type PageView, pageLink } from './state.ts'
import { statusCard } from './status-card.ts'
import { texts } from './words/texts.ts'

/** What a browser gets at the address that apps fetch. */

/** More than these stand folded, unless it is hardly worth a tap. */
const shownEntries = 8
const fewMore = 2

/** Some 600 bytes each; drawing one takes longer than the rest of a page. */
const codes = new KeepLatest<QrImage | null>(5000)

const otherDevice = ({ address }: PageState, language: Language): Html => {
  const words = texts[language]
  const qr = codes.of(address, () => qrImage(address))
  return html`<section><h2>${words.otherDevice}</h2><p class="dim">${words.otherDeviceHint}</p>${qr !== null && qrPicture(qr, words.qrOfSubscription)}${copyField('address', words.address, address, language)}<p class="dim">${words.secret}</p></section>`
}

const entryRow = ({ item, title, protocol, isOnline }: PageEntry, view: PageView): Html => {
  const words = texts[view.language]
  return html`<li><a href="${pageLink(view, item)}"><span>${titled(title)}<small>${words.protocols[protocol]}</small></span>
<em class="${isOnline ? 'on' : 'off'}">${isOnline ? words.online : words.offline}</em></a></li>
`
}

const entryList = ({ entries, hidden }: PageState, view: PageView): Html => {
  const words = texts[view.language]
  const rows = entries.map((entry) => entryRow(entry, view))
  const shown = rows.length <= shownEntries + fewMore ? rows.length : shownEntries
  const folded = rows.slice(shown)
  const nothing = hidden.length > 0 ? words.hiddenEntries : words.noEntries
  return html`<section id="entries"><h2>${words.entries}</h2>${
    rows.length === 0
      ? html`<p class="dim">${nothing}</p>`
      : html`<div class="list"><ul>${rows.slice(0, shown)}</ul>${
          folded.length > 0 &&
          html`<details><summary class="more">${words.moreEntries(folded.length)}</summary><ul>${folded}</ul></details>`
        }</div>${hidden.length > 0 && html`<p class="dim under">${words.hiddenSome}</p>`}`
  }</section>`
}

/** What happens to servers that do not answer, and the same page for each of the other choices. */
const offlineTip = (view: PageView): Html => {
  const { now, instead, how } = texts[view.language].offlineTip
  const { offline: chosen = usualOfflineChoice } = view
  const others = offlineChoices
    .filter((choice) => choice !== chosen)
    .map((offline) => html`<a class="b" href="${pageLink({ ...view, offline })}">${instead[offline]}</a>`)
  return html`<li>${now[chosen]} ${how}<div class="acts">${others}</div></li>`
}

const troubles = (view: PageView): Html => {
  const { troubles: heading, troubleList } = texts[view.language]
  return html`<section><h2>${heading}</h2><ul class="tips">${troubleList.map((tip) => html`<li>${tip}</li>`)}${offlineTip(view)}</ul></section>`
}

const footer = ({ cabinetUrl, supportUrl }: PageState, language: Language): Html => {
  const words = texts[language]
  return html`<div class="go">${outsideLink(supportUrl, words.support)}${outsideLink(cabinetUrl, words.cabinet)}</div>`
}

/** The whole document; the same state and view give the same bytes. */
export const subscriptionPage = (state: PageState, view: PageView): string => {
  const { language } = view
  const { title, brand, status } = state
  const query = pageLink({ ...view, isLanguageNamed: false })
  if (status !== 'active') {
    // Of nothing there is nothing to count.
    const card = status !== 'empty' && statusCard(state, language)
    const body = html`<main class="one">${noticeOf(status, state, language)}${card}</main>`
    return frame(language, { title, query, body, brand })
  }
  const body = html`<main class="two"><div>${statusCard(state, language)}
${appBlocks(state, view)}</div><div>${otherDevice(state, language)}
${entryList(state, view)}
</div><div class="wide">${troubles(view)}${footer(state, language)}</div></main>`
  return frame(language, { title, query, body, brand })
}
