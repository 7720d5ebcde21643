import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'
import { titled, usualBrand } from './frame.ts'
import type { PageState, PageStatus, Quota } from './state.ts'
import { bytesOf, dateOf, timeLeft } from './words/quantities.ts'
import { texts } from './words/texts.ts'

/** Until when, and how much: what everybody who opens the page wants to know first. */

const tones: Readonly<Record<PageStatus, string>> = {
  active: 'good',
  expired: 'bad',
  limited: 'wait',
  empty: 'wait',
  refused: 'bad',
}

const term = ({ status, expiresAt, now }: PageState, language: Language): Html | false => {
  const words = texts[language]
  if (status === 'expired' && expiresAt === null) return false
  if (expiresAt === null) return html`<p class="big">${words.endless}</p>`
  const date = dateOf(expiresAt, language)
  if (status === 'expired' || expiresAt <= now) return html`<p class="fact">${words.endedOn(date)}</p>`
  return html`<p class="big">${words.left(timeLeft(expiresAt - now, language))}</p><p class="dim">${words.until(date)}</p>`
}

const quotaFact = (quota: Quota, language: Language): Html => {
  const words = texts[language]
  const { usedBytes, limitBytes, refillsAt } = quota
  const left = Math.max(0, limitBytes - Math.max(0, usedBytes))
  const share = limitBytes > 0 ? Math.round((left / limitBytes) * 100) : 0
  return html`<div class="fact"><b>${titled(quota.title)}</b><progress max="100" value="${share}" aria-label="${words.traffic}"></progress><p>${words.trafficLeft(bytesOf(left, language), bytesOf(limitBytes, language))}</p><p class="dim">${words.refills(dateOf(refillsAt, language))}</p></div>`
}

const traffic = (
  { status, usedBytes, quotas, hasUnlimited }: PageState,
  language: Language,
): readonly Html[] => {
  if (status === 'expired') return []
  const words = texts[language]
  const facts = quotas.map((quota) => quotaFact(quota, language))
  if (!hasUnlimited) return facts
  const used = words.trafficUnlimited(bytesOf(Math.max(0, usedBytes), language))
  return [...facts, html`<div class="fact"><b>${words.traffic}</b><p>${used}</p></div>`]
}

/** Stands under a notice where there is one, whose heading is the page's then. */
export const statusCard = (state: PageState, language: Language): Html => {
  const words = texts[language]
  const isUnnamed = state.title === (state.brand ?? usualBrand) || state.title.trim() === ''
  const title = isUnnamed ? words.subscription : state.title
  return html`<section><div class="head">${state.status === 'active' ? html`<h1>${titled(title)}</h1>` : html`<h2>${titled(title)}</h2>`}<span class="pill ${tones[state.status]}">${words.status[state.status]}</span></div>
${term(state, language)}${traffic(state, language)}</section>`
}
