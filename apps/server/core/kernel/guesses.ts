import { createHmac } from 'node:crypto'
import { tooManyRequests } from '@sallyport/contract/errors'
import { networkKey } from '@sallyport/domain/identity/ip-key'
import type { Db } from '../../db/client.ts'
import {
  type Counter,
  count,
  type Guess,
  refuseTransaction,
  shrink,
  windowStart,
} from './security-counters.ts'
import type { Vault } from './vault.ts'

/** Attempts at codes and keys, and how many are allowed. */

export const hour = 3600
export const day = 24 * hour

// Addresses are personal data and few enough to be tried one by one, so only keyed hashes are kept.
export const keyed = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('hex')

export const ofAddress = (
  name: string,
  { ip, addressKey }: Pick<Guesser, 'ip' | 'addressKey'>,
  most: number,
): Counter => ({ key: `${name}:ip:${keyed(addressKey, networkKey(ip))}`, most, windowSeconds: hour })

export interface Guesser {
  readonly ip: string
  readonly addressKey: Buffer
  readonly now: number
}

export type GuesserAt = Guesser & { readonly subject: string }

/** What one network does about one subject is counted apart from what others do about it. */
export const ofPair = (name: string, at: GuesserAt, most: number, windowSeconds = hour): Counter => ({
  key: `${name}:${keyed(at.addressKey, `${networkKey(at.ip)} ${at.subject}`)}`,
  most,
  windowSeconds,
})

/** Who tries, from what a request knows. */
export const guesserOf = ({ ip, vault, now }: { ip: string; vault: Vault; now: number }): Guesser => ({
  ip,
  addressKey: vault.subkey('addresses'),
  now,
})

/** Whatever is counted here is counted against whoever tries: a count that strangers can fill would be a switch of theirs. */
export const promocodeGuess = (at: Guesser & { userId: number }): Guess => ({
  now: at.now,
  counters: [
    { key: `promocode:user:${at.userId}`, most: 10, windowSeconds: hour },
    ofAddress('promocode', at, 100),
  ],
})

/** A code to sign in, for the network that tries it; the subject is whom it would open, known or not. */
export const signInGuess = (at: GuesserAt): Guess => ({
  now: at.now,
  counters: [ofPair('sign-in:pair', at, 10), ofAddress('sign-in', at, 100)],
})

/** A key without an account to count against: transfer keys by who tries, subscription keys by address alone. */
export const transferGuess = (at: Guesser & { userId: number }): Guess => ({
  now: at.now,
  counters: [
    { key: `transfer:user:${at.userId}`, most: 10, windowSeconds: hour },
    ofAddress('transfer', at, 50),
  ],
})

export const subscriptionGuess = (at: Guesser): Guess => ({
  now: at.now,
  counters: [ofAddress('subscription', at, 300)],
})

/** The key of a one-time link, by address alone. */
export const oneTimeLinkGuess = (at: Guesser): Guess => ({
  now: at.now,
  counters: [ofAddress('one-time-link', at, 100)],
})

const partOf = ({ counters, now }: Guess, keys: readonly string[]): Guess => ({
  now,
  counters: counters.filter(({ key }) => keys.includes(key)),
})

/** Counts against the first guess that has room in all its counters, and returns it; undefined when none has. */
export const takeFirst = async (db: Db, guesses: readonly Guess[]): Promise<Guess | undefined> => {
  refuseTransaction(db, 'A guess')
  // Each time round somebody else took the last place of one of them.
  for (let round = 0; round < 2 * guesses.length; round++) {
    const { grown, place } = await count(db, guesses)
    const guess = guesses[place ?? -1]
    if (!guess || grown.length === guess.counters.length) return guess
    if (grown.length > 0) await shrink(db, partOf(guess, grown))
  }
  return undefined
}

interface Refusal {
  readonly limit: number
  readonly waitSeconds: number
}

/** Of the counters that are full, the one that stays so for longest. */
const refusalBy = (full: readonly Counter[], now: number): Refusal =>
  full
    .map((counter) => ({
      limit: counter.most,
      waitSeconds: windowStart(counter, now) + counter.windowSeconds - now,
    }))
    .reduce((longest, next) => (next.waitSeconds > longest.waitSeconds ? next : longest))

/** Counts one attempt against all its counters, or against none and says why. */
const refusalOf = async (db: Db, guess: Guess): Promise<Refusal | undefined> => {
  refuseTransaction(db, 'A guess')
  const { counters, now } = guess
  const { spent, grown } = await count(db, [guess])
  if (grown.length === counters.length) return undefined
  // Another attempt took the last place after this statement had looked.
  if (grown.length > 0) await shrink(db, partOf(guess, grown))
  const full =
    spent.length > 0 ? partOf(guess, spent).counters : counters.slice(grown.length, grown.length + 1)
  return refusalBy(full, now)
}

/** Counts one attempt. Undefined when it is allowed, otherwise the seconds to wait. */
export const takeGuess = async (db: Db, guess: Guess): Promise<number | undefined> =>
  (await refusalOf(db, guess))?.waitSeconds

/** A right code is no guess: after a success the attempt does not count. */
export const returnGuess = async (db: Db, guess: Guess): Promise<void> => {
  refuseTransaction(db, 'A guess')
  await shrink(db, guess)
}

/** Counts one attempt for good, or refuses it. */
export const requireGuess = async (db: Db, guess: Guess): Promise<void> => {
  const refusal = await refusalOf(db, guess)
  if (refusal) throw tooManyRequests(refusal.waitSeconds, refusal.limit)
}

/** Runs `work` as one attempt; it counts when it was wrong. */
export const countingGuess = async <T>(
  db: Db,
  guess: Guess,
  isWrong: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> => {
  await requireGuess(db, guess)
  try {
    const answer = await work()
    await returnGuess(db, guess)
    return answer
  } catch (error) {
    if (!isWrong(error)) await returnGuess(db, guess)
    throw error
  }
}
