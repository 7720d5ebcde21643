import { signal } from '@preact/signals'
import { forgetAccount } from './kept.ts'
import { page } from './page.ts'

/** Whether somebody is signed in. The cookie is out of reach of scripts: the page says whether it came, answers whether it is good. */

export const isSignedIn = signal(page.isSignedIn)

/** Inside Telegram cookies may be refused, so that the token is held in memory until the window closes. */
export const memoryToken: { value: string | undefined } = { value: undefined }

const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('session')

/** Another tab signed in or out: what this one shows may be another account's. */
tabs?.addEventListener('message', () => location.reload())

export const signedIn = (): void => {
  forgetAccount()
  isSignedIn.value = true
  tabs?.postMessage('in')
}

export const signedOut = (): void => {
  memoryToken.value = undefined
  forgetAccount()
  isSignedIn.value = false
  tabs?.postMessage('out')
}

/** The session was ended elsewhere: what is kept stays, for it may be the same person who comes back. */
export const sessionEnded = (): void => {
  memoryToken.value = undefined
  isSignedIn.value = false
}
