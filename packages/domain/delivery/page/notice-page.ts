import type { Language } from '../../text/language.ts'
import type { DeviceRefusal } from '../device.ts'
import { type Html, html } from '../html.ts'
import { frame, outsideLink } from './frame.ts'
import type { NoticeLinks, PageState } from './state.ts'
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
  disabled: ['bad', '!'],
  empty: ['wait', '+'],
} as const

/** What was paused and ends before its traffic refills does not come back by itself. */
const noticeWords = (status: keyof typeof signs, { things }: PageState, language: Language) => {
  const { notices, limitedToEnd } = texts[language]
  const comesBack = things.some(({ quota }) => quota !== null && quota.refillsAt !== null)
  return status === 'limited' && !comesBack ? limitedToEnd : notices[status]
}

export const noticeOf = (status: keyof typeof signs, state: PageState, language: Language): Html => {
  const words = texts[language]
  const [tone, sign] = signs[status]
  const button = { expired: words.renew, limited: words.raise, disabled: words.raise, empty: words.buy }[
    status
  ]
  return card({ tone, sign, ...noticeWords(status, state, language), button }, state, language)
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

/** Of an address that nothing stands at; whose service it is, is not known there. */
export const lostPage = (language: Language): string => {
  const { lost } = texts[language]
  const body = html`<main class="one"><section class="state wait"><div class="sign" aria-hidden="true">?</div>
<h1>${lost.heading}</h1><p>${lost.text}</p><div class="go"><a class="b p" href="/">${lost.button}</a></div></section></main>`
  return frame(language, { title: lost.heading, body, brand: null })
}
