import { createHmac } from 'node:crypto'
import { ApiError } from '@sallyport/contract/errors'
import { networkKey } from '@sallyport/domain/ip-key'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/client.ts'
import type { Vault } from './vault.ts'

/** Attempts at codes and keys, counted in the database: the limits outlive restarts and hold for all instances. */

const hour = 3600
const day = 24 * hour
const keepSeconds = 2 * day

interface Counter {
  readonly key: string
  readonly most: number
  readonly windowSeconds: number
}

/** One attempt, and everything it counts against; what most share comes last, because it is locked last. */
export interface Guess {
  readonly counters: readonly Counter[]
  /** The time of the request; the same when the attempt is given back. */
  readonly now: number
}

const keyed = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex')

// Addresses are personal data and few enough to be tried one by one, so only keyed hashes are kept.
const ofAddress = (name: string, ip: string, addressKey: Buffer, most: number): Counter => ({
  key: `${name}:ip:${keyed(addressKey, networkKey(ip))}`,
  most,
  windowSeconds: hour,
})

export interface Guesser {
  readonly ip: string
  readonly addressKey: Buffer
  readonly now: number
}

/** Each address has a share of its own, so that a stranger cannot keep the owner out with a handful of wrong codes. */
const ofPair = (name: string, { subject, ip, addressKey }: Guesser & { subject: string }): Counter => ({
  key: `${name}:pair:${keyed(addressKey, `${networkKey(ip)} ${subject}`)}`,
  most: 10,
  windowSeconds: hour,
})

/** Who tries, from what a request knows. */
export const guesserOf = ({ ip, vault, now }: { ip: string; vault: Vault; now: number }): Guesser => ({
  ip,
  addressKey: vault.subkey('addresses'),
  now,
})

/** A promocode counts against the account, the address and everybody together. */
export const promocodeGuess = ({ userId, ip, addressKey, now }: Guesser & { userId: number }): Guess => ({
  now,
  counters: [
    { key: `promocode:user:${userId}`, most: 10, windowSeconds: hour },
    ofAddress('promocode', ip, addressKey, 100),
    { key: 'promocode:all', most: 5000, windowSeconds: hour },
  ],
})

/**
 * A code to sign in counts against whom it is meant to open, whether or not there is such an account. The count is of an
 * hour, for whoever fills it keeps the owner out so long; and there is none for everybody together, for the same reason.
 */
export const signInGuess = (at: Guesser & { subject: string }): Guess => ({
  now: at.now,
  counters: [
    ofPair('sign-in', at),
    { key: `sign-in:subject:${keyed(at.addressKey, at.subject)}`, most: 30, windowSeconds: hour },
    ofAddress('sign-in', at.ip, at.addressKey, 100),
  ],
})

/** Letters to one address and from one address: nobody's mailbox is filled through this service. */
export const letterGuess = (at: Guesser & { subject: string }): Guess => {
  const hash = keyed(at.addressKey, at.subject)
  return {
    now: at.now,
    counters: [
      ofPair('letter', at),
      { key: `letter:to:${hash}`, most: 15, windowSeconds: hour },
      { key: `letter:to-day:${hash}`, most: 50, windowSeconds: day },
      ofAddress('letter', at.ip, at.addressKey, 200),
    ],
  }
}

/** A key without an account to count against: transfer keys by who tries, subscription keys by address alone. */
export const transferGuess = ({ userId, ip, addressKey, now }: Guesser & { userId: number }): Guess => ({
  now,
  counters: [
    { key: `transfer:user:${userId}`, most: 10, windowSeconds: hour },
    ofAddress('transfer', ip, addressKey, 50),
  ],
})

export const subscriptionGuess = ({ ip, addressKey, now }: Guesser): Guess => ({
  now,
  counters: [ofAddress('subscription', ip, addressKey, 300)],
})

const refuseTransaction = (db: Db): void => {
  if (db.isTransaction) throw new Error('A guess counted in a transaction would be forgotten when it fails')
}

const windowStart = ({ windowSeconds }: Counter, now: number): number => now - (now % windowSeconds)

/**
 * One statement. Each counter grows only when the one before it did, so locks are always taken in their order. Returns
 * the keys of the counters that grew, and of those that were full already.
 */
const count = async (db: Db, { counters, now }: Guess) => {
  const grow = (counter: Counter, isNext: RawBuilder<unknown>) => sql`
    insert into security_counters (key, window_start, count)
    select ${counter.key}, ${windowStart(counter, now)}::bigint, 1 where ${isNext}
    on conflict (key, window_start) do update set count = security_counters.count + 1
      where security_counters.count < ${counter.most}::integer
    returning key`
  const isSpent = (counter: Counter) => sql`
    (key = ${counter.key} and window_start = ${windowStart(counter, now)}::bigint and count >= ${counter.most}::integer)`
  const name = (at: number) => sql.ref(`counter_${at}`)
  const steps = counters.map((counter, at) => {
    const isNext = at === 0 ? sql`not exists (select from spent)` : sql`exists (select from ${name(at - 1)})`
    return sql`${name(at)} as (${grow(counter, isNext)})`
  })
  const { rows } = await sql<{ key: string; is_spent: boolean }>`
    with spent as (select key from security_counters where ${sql.join(counters.map(isSpent), sql` or `)}),
    ${sql.join(steps)}
    select key, true as is_spent from spent
    union all ${sql.join(
      counters.map((_, at) => sql`select key, false from ${name(at)}`),
      sql` union all `,
    )}`.execute(db)
  return {
    spent: rows.filter((row) => row.is_spent).map((row) => row.key),
    grown: rows.filter((row) => !row.is_spent).map((row) => row.key),
  }
}

const shrink = async (db: Db, { counters, now }: Guess): Promise<void> => {
  const keys = counters.map(({ key }) => key)
  const starts = counters.map((counter) => windowStart(counter, now))
  await sql`
    update security_counters c set count = c.count - 1
    from (
      select s.key, s.window_start from security_counters s
      join unnest(${keys}::text[], ${starts}::bigint[]) with ordinality given (key, window_start, place)
        on given.key = s.key and given.window_start = s.window_start
      where s.count > 0
      order by given.place for update of s
    ) held
    where c.key = held.key and c.window_start = held.window_start`.execute(db)
}

/** Counts one attempt against all its counters, or against none. Undefined when it is allowed, otherwise the seconds to wait. */
export const takeGuess = async (db: Db, guess: Guess): Promise<number | undefined> => {
  refuseTransaction(db)
  const { counters, now } = guess
  const { spent, grown } = await count(db, guess)
  if (grown.length === counters.length) return undefined
  // Another attempt took the last place after this statement had looked.
  if (grown.length > 0) await shrink(db, { now, counters: counters.filter(({ key }) => grown.includes(key)) })
  const full = spent.length > 0 ? spent : [counters[grown.length]?.key]
  const waits = counters
    .filter(({ key }) => full.includes(key))
    .map((counter) => windowStart(counter, now) + counter.windowSeconds - now)
  return Math.max(1, ...waits)
}

/** A right code is no guess: after a success the attempt does not count. */
export const returnGuess = async (db: Db, guess: Guess): Promise<void> => {
  refuseTransaction(db)
  await shrink(db, guess)
}

/** Counts one attempt for good, or refuses it. */
export const requireGuess = async (db: Db, guess: Guess): Promise<void> => {
  const waitSeconds = await takeGuess(db, guess)
  if (waitSeconds !== undefined) throw new ApiError('TOO_MANY_REQUESTS', undefined, waitSeconds)
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

/** Windows that nobody counts in any more, with room for clocks that differ. */
export const forgetGuesses = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('security_counters')
    .where('window_start', '<=', now - keepSeconds)
    .execute()
}
