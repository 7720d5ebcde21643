import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'
import { qrImage } from '../qr/png.ts'
import { appBlocks } from './app-blocks.ts'
import { copyField, frame, outsideLink, qrPicture, titled } from './frame.ts'
import { noticeOf, refusalNotice } from './notice-page.ts'
import type { PageEntry, PageState, PageView } from './state.ts'
import { statusCard } from './status-card.ts'
import { texts } from './words/texts.ts'

/** What a browser gets at the address that apps fetch. */

/** More than these stand folded. */
const shownEntries = 8

const otherDevice = ({ address }: PageState, language: Language): Html => {
  const words = texts[language]
  const qr = qrImage(address)
  return html`<section><h2>${words.otherDevice}</h2><p class="dim">${words.otherDeviceHint}</p>${qr !== null && qrPicture(qr, words.qrOfSubscription)}${copyField('address', words.address, address, language)}<p class="dim">${words.secret}</p></section>`
}

/** The key stays out of it: a query alone is read as one of this same address. */
const entryRow = ({ item, title, protocol, isOnline }: PageEntry, language: Language, lang: string): Html => {
  const words = texts[language]
  return html`<li><a href="?format=page&amp;item=${item}${lang}"><span>${titled(title)}<small>${words.protocols[protocol]}</small></span>
<em class="${isOnline ? 'on' : 'off'}">${isOnline ? words.online : words.offline}</em></a></li>
`
}

const entryList = ({ entries, status }: PageState, { language, isLanguageAsked }: PageView): Html => {
  const words = texts[language]
  const rows = entries.map((entry) => entryRow(entry, language, isLanguageAsked ? `&lang=${language}` : ''))
  const folded = rows.slice(shownEntries)
  const nothing = status === 'refused' ? words.hiddenEntries : words.noEntries
  return html`<section id="entries"><h2>${words.entries}</h2>${
    rows.length === 0
      ? html`<p class="dim">${nothing}</p>`
      : html`<div class="list"><ul>${rows.slice(0, shownEntries)}</ul>${
          folded.length > 0 &&
          html`<details><summary class="more">${words.moreEntries(folded.length)}</summary><ul>${folded}</ul></details>`
        }</div>`
  }</section>`
}

export const troubles = (language: Language): Html => {
  const { troubles: heading, troubleList } = texts[language]
  return html`<section><h2>${heading}</h2><ul class="tips">${troubleList.map((tip) => html`<li>${tip}</li>`)}</ul></section>`
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
  const query = '?format=page'
  if (!canBeSetUp(state)) {
    const body = html`<main class="one">${notice}${hasNumbers(state) && statusCard(state, language)}</main>`
    return frame(language, { title, query, body, brand })
  }
  const body = html`<main class="two"><div>${notice || statusCard(state, language)}
${appBlocks(state, view)}</div><div>${otherDevice(state, language)}
${entryList(state, view)}
</div><div class="wide">${troubles(language)}${footer(state, language)}</div></main>`
  return frame(language, { title, query, body, brand })
}
