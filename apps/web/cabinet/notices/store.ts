import { computed, signal } from '@preact/signals'
import { api } from '../../lib/api.ts'
import { keep, kept } from '../../lib/kept.ts'
import { now } from '../../lib/page.ts'
import { isSignedIn } from '../../lib/session.ts'
import { allRead, cleared, type Kept, nothing, unreadIn, withNew } from './list.ts'

/** The notifications of this browser. Tabs take turns, so that none writes over what another has just taken. */

const name = 'notices'

export const notices = signal<Kept>(kept<Kept>(name) ?? nothing)

export const unread = computed(() => unreadIn(notices.value))

/** Another tab has taken or read some. */
globalThis.addEventListener?.('storage', () => {
  notices.value = kept<Kept>(name) ?? notices.value
})
/** They are one account's. */
isSignedIn.subscribe(() => {
  notices.value = kept<Kept>(name) ?? nothing
})

const inTurn = (work: () => Promise<void>): Promise<void> =>
  globalThis.navigator?.locks ? navigator.locks.request(name, work) : work()

const change = (next: (before: Kept) => Kept): void => {
  notices.value = next(kept<Kept>(name) ?? notices.value)
  keep(name, notices.value)
}

export const takeNotices = (): Promise<void> =>
  inTurn(async () => {
    const came = await api.takeNotifications()
    if (came.length > 0) change((before) => withNew(before, came, now()))
  })

export const readNotices = (): Promise<void> => inTurn(async () => change(allRead))

export const clearNotices = (): Promise<void> => inTurn(async () => change(cleared))

const everyMs = 120_000

const look = (): void => {
  if (document.visibilityState === 'visible') takeNotices().catch(() => undefined)
}

/** Now and then, while the page is looked at. Returns what ends it. */
export const watchNotices = (): (() => void) => {
  look()
  const timer = setInterval(look, everyMs)
  document.addEventListener('visibilitychange', look)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
