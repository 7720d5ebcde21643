import { SallyportError } from '@sallyport/contract/client/core'
import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'

/** Tokens that are held in memory, renewed before they end. */

/** So long before its end a token is renewed. */
const marginSeconds = 60

interface Parts {
  readonly refresh: (refreshToken: string) => Promise<SignedIn>
  /** By what Telegram gave, which the service takes for an hour. */
  readonly signIn: () => Promise<SignedIn>
  readonly now: () => number
  /** Emptied by whoever signs out. */
  readonly slot: { value: string | undefined }
}

export const heldTokens = ({ refresh, signIn, now, slot }: Parts) => {
  let held: SignedIn | undefined
  let renewing: Promise<void> | undefined

  const hold = (answer: SignedIn): void => {
    held = answer
    slot.value = answer.session_token
  }
  /** The same session goes on. One that was ended is not begun anew: somebody wanted it to end. */
  const renew = async (refreshToken: string): Promise<void> =>
    hold(
      await refresh(refreshToken).catch((error) => {
        if (error instanceof SallyportError) throw error
        return signIn()
      }),
    )

  const token = async (): Promise<string | undefined> => {
    if (slot.value === undefined) held = undefined
    if (held && held.expires_at - now() < marginSeconds) {
      renewing ??= renew(held.refresh_token).finally(() => {
        renewing = undefined
      })
      // Where that fails the service says what is wrong with the old one.
      await renewing.catch(() => undefined)
    }
    return slot.value
  }
  return { hold, token }
}
