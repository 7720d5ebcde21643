import type { TelegramWidget } from '@sallyport/contract/customer/auth-shapes'

/**
 * Telegram's sign-in by going there and coming back, without a script of theirs: the page is asked for with the number of the
 * bot, and returns with the signed fields in the fragment.
 */

export const telegramLoginAddress = (botId: number, origin: string, returnTo: string): string =>
  `https://oauth.telegram.org/auth?${new URLSearchParams({
    bot_id: String(botId),
    origin,
    return_to: origin + returnTo,
  })}`

const fields = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date', 'hash'] as const

/** `denied` where the person said no. */
export const telegramResultIn = (hash: string): TelegramWidget | 'denied' | undefined => {
  const text = new URLSearchParams(hash.replace(/^#/, '')).get('tgAuthResult')
  if (text === null) return undefined
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) =>
      one.charCodeAt(0),
    )
    const told = JSON.parse(new TextDecoder().decode(bytes))
    if (!told || typeof told !== 'object') return 'denied'
    return Object.fromEntries(
      fields.flatMap((name) => (told[name] === undefined ? [] : [[name, told[name]]])),
    ) as TelegramWidget
  } catch {
    return 'denied'
  }
}
