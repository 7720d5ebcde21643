import { bytesOf } from '../../text/bytes.ts'
import type { Language } from '../../text/language.ts'
import { type Html, html } from '../html.ts'
import { titled, usualBrand } from './frame.ts'
import type { PageState, PageStatus, Quota, Thing } from './state.ts'
import { dateOf, devicesOf, timeLeft } from './words/quantities.ts'
import { texts } from './words/texts.ts'

/** Until when, and how much: what everybody who opens the page wants to know first. */

const tones: Readonly<Record<PageStatus, string>> = {
  active: 'good',
  expired: 'bad',
  limited: 'wait',
  disabled: 'bad',
  empty: 'wait',
}

/** More than these stand folded, unless it is hardly worth a tap. */
const shownThings = 5
const fewMore = 2

const soonSeconds = 3 * 86_400

const usedOf = (usedBytes: number, language: Language): string => bytesOf(Math.max(0, usedBytes), language)

const leftOf = ({ usedBytes, limitBytes }: Quota, language: Language) => {
  const left = Math.max(0, limitBytes - Math.max(0, usedBytes))
  const share = limitBytes > 0 ? Math.round((left / limitBytes) * 100) : 0
  return { share, left: bytesOf(left, language), limit: bytesOf(limitBytes, language) }
}

/** Whatever a page says of traffic: as long as this is the same, so is the page. */
export const saidOfTraffic = (
  usedBytes: number,
  quotas: readonly (Quota | null)[],
  language: Language,
): string =>
  JSON.stringify([
    usedOf(usedBytes, language),
    quotas.map((quota) => quota && { ...leftOf(quota, language), refillsAt: quota.refillsAt }),
  ])

const quotaFact = (quota: Quota, language: Language): Html => {
  const words = texts[language]
  const { share, left, limit } = leftOf(quota, language)
  const { refillsAt } = quota
  return html`<progress max="100" value="${share}" aria-label="${words.traffic}"></progress><p>${words.trafficLeft(left, limit)}</p>${
    refillsAt !== null && html`<p class="dim">${words.refills(dateOf(refillsAt, language))}</p>`
  }`
}

/** Beside until when. */
const details = ({ paused, quota, deviceLimit }: Thing, language: Language): Html => {
  const words = texts[language]
  return html`${paused !== null && html`<p class="soon">${words.paused[paused]}</p>`}${quota !== null && quotaFact(quota, language)}${
    deviceLimit > 0 && html`<p class="dim">${words.devices(devicesOf(deviceLimit, language))}</p>`
  }`
}

const hasDetails = ({ paused, quota, deviceLimit }: Thing): boolean =>
  paused !== null || quota !== null || deviceLimit > 0

const lineOf = (thing: Thing, until: Html | false, language: Language): Html =>
  html`<div class="fact"><b>${titled(thing.title)}</b>${until}${details(thing, language)}</div>`

const untilOf = ({ expiresAt }: Thing, now: number, language: Language): Html => {
  const words = texts[language]
  const left = words.left(timeLeft(expiresAt - now, language))
  const kind = expiresAt - now < soonSeconds ? 'soon' : 'dim'
  return html`<p class="${kind}">${left}, ${words.until(dateOf(expiresAt, language))}</p>`
}

/** Where all end on one day, it is said once. */
const ofOneEnd = (things: readonly Thing[], [first]: readonly [Thing], now: number, language: Language) => {
  const words = texts[language]
  const lines = things.filter(hasDetails).map((thing) => lineOf(thing, false, language))
  return html`<p class="big">${words.left(timeLeft(first.expiresAt - now, language))}</p><p class="dim">${words.until(dateOf(first.expiresAt, language))}</p>${lines}`
}

/** Of several that end at different times each has a line, and what ends first stands first. */
const thingsOf = ({ things, now }: PageState, language: Language): Html => {
  const words = texts[language]
  const [first] = things
  const days = new Set(things.map(({ expiresAt }) => dateOf(expiresAt, language)))
  if (first && days.size === 1) return ofOneEnd(things, [first], now, language)
  const lines = things.map((thing) => lineOf(thing, untilOf(thing, now, language), language))
  const shown = lines.length <= shownThings + fewMore ? lines.length : shownThings
  const folded = lines.slice(shown)
  return html`${lines.slice(0, shown)}${
    folded.length > 0 &&
    html`<details><summary class="more">${words.moreEntries(folded.length)}</summary>${folded}</details>`
  }`
}

/** Of the whole subscription. */
const together = (state: PageState, language: Language): Html => {
  const words = texts[language]
  const { things, usedBytes, deviceLimit, isClosed } = state
  const used = usedOf(usedBytes, language)
  const isUnlimited = things.every(({ quota }) => quota === null)
  const traffic = isUnlimited ? words.trafficUnlimited(used) : words.trafficUsed(used)
  return html`${
    things.some(({ quota }) => quota === null) &&
    html`<div class="fact"><b>${words.traffic}</b><p>${traffic}</p></div>`
  }${
    (deviceLimit > 0 || isClosed) &&
    html`<div class="fact"><b>${words.ofSubscription}</b>${deviceLimit > 0 && html`<p>${words.devices(devicesOf(deviceLimit, language))}</p>`}${isClosed && html`<p>${words.closed}</p>`}</div>`
  }`
}

/** Stands under a notice where there is one, whose heading is the page's then. */
export const statusCard = (state: PageState, language: Language): Html => {
  const words = texts[language]
  const { status, endedAt } = state
  const isUnnamed = state.title === (state.brand ?? usualBrand) || state.title.trim() === ''
  const title = isUnnamed ? words.subscription : state.title
  const ended = endedAt !== null && html`<p class="fact">${words.endedOn(dateOf(endedAt, language))}</p>`
  return html`<section><div class="head">${status === 'active' ? html`<h1>${titled(title)}</h1>` : html`<h2>${titled(title)}</h2>`}<span class="pill ${tones[status]}">${words.status[status]}</span></div>
${status === 'expired' ? ended : [thingsOf(state, language), together(state, language)]}</section>`
}
