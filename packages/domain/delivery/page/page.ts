import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'
import { offlineChoices, usualOfflineChoice } from '../offline.ts'
import { qrImage } from '../qr/png.ts'
import { appBlocks } from './app-blocks.ts'
import { copyField, frame, outsideLink, qrPicture, titled } from './frame.ts'
import { noticeOf, refusalNotice } from './notice-page.ts'
import { type PageEntry, type PageState, type PageView, pageLink } from './state.ts'
import { statusCard } from './status-card.ts'
import { texts } from './words/texts.ts'

/** What a browser gets at the address that apps fetch. */

/** More than these stand folded, unless it is hardly worth a tap. */
const shownEntries = 8
const fewMore = 2

const otherDevice = ({ address }: PageState, language: Language): Html => {
  const words = texts[language]
  const qr = qrImage(address)
  return html`<section><h2>${words.otherDevice}</h2><p class="dim">${words.otherDeviceHint}</p>${qr !== null && qrPicture(qr, words.qrOfSubscription)}${copyField('address', words.address, address, language)}<p class="dim">${words.secret}</p></section>`
}

const entryRow = ({ item, title, protocol, isOnline }: PageEntry, view: PageView): Html => {
  const words = texts[view.language]
  return html`<li><a href="${pageLink(view, item)}"><span>${titled(title)}<small>${words.protocols[protocol]}</small></span>
<em class="${isOnline ? 'on' : 'off'}">${isOnline ? words.online : words.offline}</em></a></li>
`
}

const entryList = ({ entries, status }: PageState, view: PageView): Html => {
  const words = texts[view.language]
  const rows = entries.map((entry) => entryRow(entry, view))
  const shown = rows.length <= shownEntries + fewMore ? rows.length : shownEntries
  const folded = rows.slice(shown)
  const nothing = status === 'refused' ? words.hiddenEntries : words.noEntries
  return html`<section id="entries"><h2>${words.entries}</h2>${
    rows.length === 0
      ? html`<p class="dim">${nothing}</p>`
      : html`<div class="list"><ul>${rows.slice(0, shown)}</ul>${
          folded.length > 0 &&
          html`<details><summary class="more">${words.moreEntries(folded.length)}</summary><ul>${folded}</ul></details>`
        }</div>`
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

/** Whoever only lacks an app that names its device is shown which do. */
const canBeSetUp = ({ status, refusal }: PageState): boolean =>
  status === 'active' || (status === 'refused' && refusal === 'no_hwid')

/** Of nothing, and to somebody who may not have it, there is nothing to count. */
const hasNumbers = ({ status }: PageState): boolean => status !== 'empty' && status !== 'refused'

const noticeFor = (state: PageState, language: Language): Html | false => {
  if (state.status === 'active') return false
  if (state.status === 'refused') return refusalNotice(state.refusal ?? 'unknown', state, language)
  return noticeOf(state.status, state, language)
}

/** The whole document; the same state and view give the same bytes. */
export const subscriptionPage = (state: PageState, view: PageView): string => {
  const { language } = view
  const notice = noticeFor(state, language)
  const { title, brand } = state
  const query = pageLink({ ...view, isLanguageAsked: false })
  if (!canBeSetUp(state)) {
    const body = html`<main class="one">${notice}${hasNumbers(state) && statusCard(state, language)}</main>`
    return frame(language, { title, query, body, brand })
  }
  const body = html`<main class="two"><div>${notice || statusCard(state, language)}
${appBlocks(state, view)}</div><div>${otherDevice(state, language)}
${entryList(state, view)}
</div><div class="wide">${troubles(view)}${footer(state, language)}</div></main>`
  return frame(language, { title, query, body, brand })
}
