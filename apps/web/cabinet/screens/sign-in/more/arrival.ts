import type { TelegramWidget } from '@sallyport/contract/customer/auth-shapes'
import { keepInTab, keptInTab } from '../../../../lib/kept.ts'
import { telegramResultIn } from '../../../../lib/telegram-login.ts'

/** What somebody comes back with from an identity provider or from Telegram; all of it stands in the fragment. */

export type Arrival =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'telegram'; readonly widget: TelegramWidget }
  | { readonly kind: 'failed'; readonly word: string }

export const arrivalIn = (hash: string): Arrival | undefined => {
  const values = new URLSearchParams(hash.replace(/^#/, ''))
  const code = values.get('sign_in_code')
  if (code !== null) return { kind: 'code', code }
  const word = values.get('sign_in_error')
  if (word !== null) return { kind: 'failed', word }
  const widget = telegramResultIn(hash)
  if (widget === undefined) return undefined
  return widget === 'denied' ? { kind: 'failed', word: 'denied' } : { kind: 'telegram', widget }
}

const fragment = 'fragment'

/** Where to come back to. What stands in the fragment, as the code of a gift, is sent to nobody and waits here. */
export const leaveAddress = (): string => {
  keepInTab(fragment, location.hash)
  return location.pathname + location.search
}

/** Taken out of the address at once: it is good for one use. What the page was asked for with is put back. */
export const takeArrival = (): Arrival | undefined => {
  const arrival = arrivalIn(location.hash)
  if (!arrival) return undefined
  const asked = keptInTab<string>(fragment) ?? ''
  keepInTab(fragment, undefined)
  history.replaceState(history.state, '', location.pathname + location.search + asked)
  return arrival
}
