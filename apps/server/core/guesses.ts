import { createHmac } from 'node:crypto'
import { ipKey } from '@sallyport/domain/ip-key'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/client.ts'

/** Attempts to use a promocode, counted in the database: the limits outlive restarts and hold for all instances. */

const windowSeconds = 3600
const keepSeconds = 2 * windowSeconds
const keyPrefix = 'promocode:'

export interface Guess {
  readonly userId: number
  readonly ip: string
  readonly addressKey: Buffer
  /** The time of the request; the same when the attempt is given back. */
  readonly now: number
}

interface Counter {
  readonly key: string
  readonly most: number
}

interface Counters {
  readonly account: Counter
  readonly address: Counter
  readonly everyone: Counter
  readonly windowStart: number
}

const countersOf = ({ userId, ip, addressKey, now }: Guess): Counters => ({
  account: { key: `${keyPrefix}user:${userId}`, most: 10 },
  // Addresses are personal data and few enough to be tried one by one, so only keyed hashes are kept.
  address: {
    key: `${keyPrefix}ip:${createHmac('sha256', addressKey).update(ipKey(ip)).digest('hex')}`,
    most: 100,
  },
  everyone: { key: `${keyPrefix}all`, most: 5000 },
  windowStart: now - (now % windowSeconds),
})

const refuseTransaction = (db: Db): void => {
  if (db.isTransaction) throw new Error('A guess counted in a transaction would be forgotten when it fails')
}

/**
 * One statement. Each counter grows only when the one before it did, so locks are always taken in the order
 * account, address, everyone. Returns the keys of the counters that grew.
 */
const count = async (db: Db, { account, address, everyone, windowStart }: Counters): Promise<string[]> => {
  const grow = ({ key, most }: Counter, isNext: RawBuilder<unknown>) => sql`
    insert into security_counters (key, window_start, count)
    select ${key}, ${windowStart}::bigint, 1 where ${isNext}
    on conflict (key, window_start) do update set count = security_counters.count + 1
      where security_counters.count < ${most}::integer
    returning key`
  const isSpent = ({ key, most }: Counter) => sql`(key = ${key} and count >= ${most}::integer)`
  const { rows } = await sql<{ key: string }>`
    with spent as (
      select from security_counters
      where window_start = ${windowStart}::bigint
        and (${isSpent(account)} or ${isSpent(address)} or ${isSpent(everyone)})
    ),
    account as (${grow(account, sql`not exists (select from spent)`)}),
    address as (${grow(address, sql`exists (select from account)`)}),
    everyone as (${grow(everyone, sql`exists (select from address)`)})
    select key from account union all select key from address union all select key from everyone`.execute(db)
  return rows.map((row) => row.key)
}

const shrink = async (db: Db, keys: readonly string[], windowStart: number): Promise<void> => {
  await sql`
    update security_counters c set count = c.count - 1
    from (
      select s.key from security_counters s join unnest(${keys}::text[]) with ordinality given (key, place)
        on given.key = s.key
      where s.window_start = ${windowStart}::bigint and s.count > 0
      order by given.place for update of s
    ) held
    where c.key = held.key and c.window_start = ${windowStart}::bigint`.execute(db)
}

/**
 * Counts one attempt against the account, the address and everybody together, or against none of them.
 * Undefined when it is allowed, otherwise the seconds to wait.
 */
export const takeGuess = async (db: Db, guess: Guess): Promise<number | undefined> => {
  refuseTransaction(db)
  const counters = countersOf(guess)
  const grown = await count(db, counters)
  if (grown.includes(counters.everyone.key)) return undefined
  // Another attempt took the last place after this statement had looked.
  if (grown.length > 0) await shrink(db, grown, counters.windowStart)
  return counters.windowStart + windowSeconds - guess.now
}

/** A right code is no guess: after a success the attempt does not count. */
export const returnGuess = async (db: Db, guess: Guess): Promise<void> => {
  refuseTransaction(db)
  const { account, address, everyone, windowStart } = countersOf(guess)
  await shrink(db, [account.key, address.key, everyone.key], windowStart)
}

/** Windows that nobody counts in any more, with room for clocks that differ. */
export const forgetGuesses = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('security_counters')
    .where('window_start', '<=', now - keepSeconds)
    .where('key', 'like', `${keyPrefix}%`)
    .execute()
}
