import { signal } from '@preact/signals'
import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import { forgetAccount, forgetReads, forgetTab, keep, kept } from './kept.ts'
import { page } from './page.ts'

/** Whether somebody is signed in. The cookie is out of reach of scripts: the page says whether it came, answers whether it is good. */

export const isSignedIn = signal(page.isSignedIn)

/** Somebody is being signed in without being asked: what to show is known in a moment. */
export const isEntering = signal(false)

/** Why that came to nothing. */
export const entryProblem = signal<unknown>(undefined)

interface Holder {
  /** For the next request; renewed before it ends. */
  token(): Promise<string | undefined>
  hold(answer: SignedIn): void
  /** Signs in by what Telegram gave. */
  enter(): Promise<void>
}

/** Inside Telegram cookies may be refused, so that the token is held in memory until the window closes. */
export const memoryToken: { value: string | undefined; holder: Holder | undefined } = {
  value: undefined,
  holder: undefined,
}

const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('session')

/** Another tab signed in or out: what this one shows may be another account's. */
tabs?.addEventListener('message', () => location.reload())

/** What is kept stays where the same person comes back. */
export const signedIn = (answer: SignedIn): void => {
  if (kept('user') !== answer.user_id) forgetAccount()
  keep('user', answer.user_id)
  entryProblem.value = undefined
  memoryToken.holder?.hold(answer)
  isSignedIn.value = true
  // Windows inside Telegram each sign in by themselves, and would wake one another without end.
  if (!memoryToken.holder) tabs?.postMessage('in')
}

export const signedOut = (): void => {
  memoryToken.value = undefined
  forgetAccount()
  forgetTab()
  isSignedIn.value = false
  tabs?.postMessage('out')
}

/** The session was ended elsewhere, perhaps because the device is in other hands. What was sent and not answered stays. */
export const sessionEnded = (): void => {
  memoryToken.value = undefined
  forgetReads()
  isSignedIn.value = false
}
