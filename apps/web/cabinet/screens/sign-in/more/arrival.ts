import type { TelegramWidget } from '@sallyport/contract/customer/auth-shapes'
import { telegramResultIn } from '../../../../lib/entry/telegram-login.ts'

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
