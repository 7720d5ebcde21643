import { Told } from '../../../../kit/problem.tsx'
import { SallyportError } from '../../../../lib/send.ts'
import { blocked } from '../../../code/refusals.ts'
import { say } from './say.ts'

/** Why signing in came to nothing, said so that somebody who is not signed in knows what to do. */

/** What a provider's page comes back with; see the service's `features/identity/oauth`. */
const arrivals = {
  expired: 'expired',
  wrong_browser: 'wrongBrowser',
  denied: 'denied',
  unavailable: 'unavailable',
  taken: 'taken',
} as const

export const arrivalFailure = (word: string): Told => {
  if (word === 'blocked') return blocked()
  return new Told(say(word in arrivals ? arrivals[word as keyof typeof arrivals] : 'refusedThere'))
}

type Refusal = 'expired' | 'passkeyRefused' | 'telegramFailed' | 'refusedThere'

/** `refusal`: what a 401 means where it was asked. */
export const explained = (error: unknown, refusal: Refusal): unknown => {
  if (!(error instanceof SallyportError)) return error
  if (error.statusCode === 401) return new Told(say(refusal))
  return error.statusCode === 403 ? blocked() : error
}
