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
let generation = 0

/** They are one account's. */
isSignedIn.subscribe(() => {
  generation++
  notices.value = kept<Kept>(name) ?? nothing
})

/** Whoever is signed in, here and in other tabs, as far as that can be told. */
const owner = (): string => `${generation} ${kept('user')}`

/** What was begun for one account is not written down among another's, nor after signing out. */
const change = (of: string, next: (before: Kept) => Kept): void => {
  if (of !== owner()) return
  notices.value = next(kept<Kept>(name) ?? notices.value)
  keep(name, notices.value)
}

/** Whose turn it is was known when it was asked for. */
const inTurn = (work: (of: string) => Promise<void>): Promise<void> => {
  const of = owner()
  return globalThis.navigator?.locks ? navigator.locks.request(name, () => work(of)) : work(of)
}

export const takeNotices = (): Promise<void> =>
  inTurn(async (of) => {
    if (of !== owner()) return
    const came = await api.takeNotifications()
    if (came.length > 0) change(of, (before) => withNew(before, came, now()))
  })

export const readNotices = (): Promise<void> => inTurn(async (of) => change(of, allRead))

export const clearNotices = (): Promise<void> => inTurn(async (of) => change(of, cleared))

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
