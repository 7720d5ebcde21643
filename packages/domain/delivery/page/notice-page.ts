import type { DeviceRefusal } from '../device.ts'
import { type Html, html } from '../html.ts'
import type { Language } from '../language.ts'
import { frame, outsideLink } from './frame.ts'
import type { NoticeLinks, PageStatus } from './state.ts'
import { texts } from './words/texts.ts'

/** Instead of an empty list: what happened, and what to press. */

interface Notice {
  readonly tone: 'bad' | 'wait'
  readonly sign: string
  readonly heading: string
  readonly text: string
  readonly button: string
}

const card = ({ tone, sign, heading, text, button }: Notice, links: NoticeLinks, language: Language): Html =>
  html`<section class="state ${tone}"><div class="sign" aria-hidden="true">${sign}</div>
<h1>${heading}</h1><p>${text}</p>
<div class="go">${outsideLink(links.cabinetUrl, button, ' p')}${outsideLink(links.supportUrl, texts[language].support)}</div></section>`

const signs = {
  expired: ['bad', '◷'],
  limited: ['wait', '◔'],
  empty: ['wait', '+'],
} as const

export const noticeOf = (
  status: Exclude<PageStatus, 'active' | 'refused'>,
  links: NoticeLinks,
  language: Language,
): Html => {
  const words = texts[language]
  const [tone, sign] = signs[status]
  const button = { expired: words.renew, limited: words.raise, empty: words.buy }[status]
  return card({ tone, sign, ...words.notices[status], button }, links, language)
}

const refusal = (reason: DeviceRefusal, language: Language): Notice => {
  const words = texts[language]
  const isMild = reason === 'no_hwid'
  return {
    tone: isMild ? 'wait' : 'bad',
    sign: isMild ? 'i' : '!',
    ...words.refusals[reason],
    button: words.manageDevices,
  }
}

export const refusalNotice = (reason: DeviceRefusal, links: NoticeLinks, language: Language): Html =>
  card(refusal(reason, language), links, language)

/** For a browser that may not see more than why. */
export const refusedPage = (reason: DeviceRefusal, links: NoticeLinks, language: Language): string => {
  const notice = refusal(reason, language)
  const body = html`<main class="one">${card(notice, links, language)}</main>`
  return frame(language, { title: notice.heading, query: '?format=page', body, brand: links.brand })
}

/** One and the same for every key that opens nothing. */
export const notFoundPage = (links: NoticeLinks, language: Language): string => {
  const words = texts[language]
  const notice = { tone: 'wait', sign: '?', ...words.notFound, button: words.cabinet } as const
  const body = html`<main class="one">${card(notice, links, language)}</main>`
  return frame(language, { title: words.notFound.heading, body, brand: links.brand })
}
