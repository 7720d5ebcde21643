import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { refuseTransaction } from '../kernel/security-counters.ts'
import { sameBytes, type Vault } from '../kernel/vault.ts'
import { codeTtlSeconds } from './one-time-codes.ts'

/**
 * What letters to sign in carry. The six digits belong to the network that asked for them: others neither replace them
 * nor use up their tries. The long code opens from anywhere, and lasts while other letters come.
 */

const triesPerNetwork = 5
/** 80 bits. */
export const longSymbols = 16

/** Somebody who asks for a letter to an address, or types what was in one. */
export interface Asker {
  readonly email: string
  readonly network: string
}

export interface NewMailedCode extends Asker {
  readonly digits: string | undefined
  /** Without separators. */
  readonly long: string
  readonly referralCode: string | undefined
  readonly now: number
}

/** A letter of which the right code was given. */
export interface RightLetter {
  readonly id: number
  /** Unless it was the long code. */
  readonly digitsHash: Buffer | undefined
  /** Counts only for whoever comes from where it was said. */
  readonly referralCode: string | null
  readonly mailedAt: number
}

const purpose = 'mailed-codes'
const askerHash = (vault: Vault, { email, network }: Asker): Buffer =>
  vault.hash(purpose, 'asker', email, network)
const recipientHash = (vault: Vault, { email }: Asker): Buffer => vault.hash(purpose, 'recipient', email)
const digitsHash = (vault: Vault, email: string, digits: string): Buffer =>
  vault.hash(purpose, 'digits', email, digits)
const longHash = (vault: Vault, email: string, long: string): Buffer =>
  vault.hash(purpose, 'long', email, long)

/** Ends the digits that this asker had. Returns when the code ends. */
export const keepMailedCode = async (tx: Db, vault: Vault, code: NewMailedCode): Promise<number> => {
  const asker = askerHash(vault, code)
  // Of two at once, the later one must see the earlier one's digits to end them.
  await sql`select pg_advisory_xact_lock(${String(asker.readBigInt64BE())}::bigint)`.execute(tx)
  const hasDigits = code.digits !== undefined
  if (hasDigits) {
    await tx
      .updateTable('mailed_codes')
      .set({ digits_hash: null })
      .where('asker_hash', '=', asker)
      .where('digits_hash', 'is not', null)
      .execute()
  }
  const expiresAt = code.now + codeTtlSeconds
  await tx
    .insertInto('mailed_codes')
    .values({
      recipient_hash: recipientHash(vault, code),
      asker_hash: asker,
      digits_hash: hasDigits ? digitsHash(vault, code.email, code.digits) : null,
      long_hash: longHash(vault, code.email, code.long),
      tries_left: hasDigits ? triesPerNetwork : 0,
      foreign_tries_left: hasDigits ? triesPerNetwork : 0,
      referral_code: code.referralCode ?? null,
      expires_at: expiresAt,
    })
    .execute()
  return expiresAt
}

interface Tried {
  readonly id: number | null
  readonly digits_hash: Uint8Array | null
  readonly asker_hash: Uint8Array
  readonly referral_code: string | null
  readonly expires_at: number
}

/** Takes one of the tries at the digits of the newest such letter, for good. No row where there is no such letter. */
export const tryNewest = async (
  db: Db,
  isSuch: RawBuilder<unknown>,
  tries: 'tries_left' | 'foreign_tries_left',
  now: number,
): Promise<Tried | undefined> => {
  const column = sql.ref(tries)
  const { rows } = await sql<Tried>`
    with newest as (
      select id from mailed_codes where ${isSuch} and digits_hash is not null and expires_at > ${now}::bigint
      order by id desc limit 1
    ), tried as (
      update mailed_codes m set ${column} = m.${column} - 1 from newest
      where m.id = newest.id and m.${column} > 0 and m.digits_hash is not null
      returning m.id, m.digits_hash, m.asker_hash, m.referral_code, m.expires_at
    )
    select tried.* from newest left join tried on true`.execute(db)
  return rows[0]
}

export interface GivenDigits extends Asker {
  readonly digits: string
  readonly now: number
}

const rightLetter = (vault: Vault, given: Asker, row: Tried, digits?: Buffer): RightLetter => ({
  id: row.id as number,
  digitsHash: digits,
  referralCode: askerHash(vault, given).equals(row.asker_hash) ? row.referral_code : null,
  mailedAt: row.expires_at - codeTtlSeconds,
})

const compare = (vault: Vault, given: GivenDigits, row: Tried | undefined): RightLetter | undefined => {
  const hash = digitsHash(vault, given.email, given.digits)
  const isSame = sameBytes(row?.digits_hash ?? Buffer.alloc(hash.length), hash)
  return isSame && row ? rightLetter(vault, given, row, hash) : undefined
}

/** Digits typed where they were asked for. Undefined where none were; otherwise whether they are right. */
export const tryOwnDigits = async (
  db: Db,
  vault: Vault,
  given: GivenDigits,
): Promise<{ right: RightLetter | undefined } | undefined> => {
  refuseTransaction(db, 'A try')
  const isOwn = sql`asker_hash = ${askerHash(vault, given)}`
  const row = await tryNewest(db, isOwn, 'tries_left', given.now)
  return row && { right: compare(vault, given, row) }
}

/** Digits typed elsewhere: those of the newest letter to the address, whoever asked for it. */
export const tryForeignDigits = async (
  db: Db,
  vault: Vault,
  given: GivenDigits,
): Promise<RightLetter | undefined> => {
  refuseTransaction(db, 'A try')
  const isTo = sql`recipient_hash = ${recipientHash(vault, given)}`
  return compare(vault, given, await tryNewest(db, isTo, 'foreign_tries_left', given.now))
}

/** There are no tries to count: without the letter nobody can name a code to try. */
export const findByLongCode = async (
  db: Db,
  vault: Vault,
  given: Asker & { readonly long: string; readonly now: number },
): Promise<RightLetter | undefined> => {
  const row = await db
    .selectFrom('mailed_codes')
    .select(['id', 'digits_hash', 'asker_hash', 'referral_code', 'expires_at'])
    .where('long_hash', '=', longHash(vault, given.email, given.long))
    .where('expires_at', '>', given.now)
    .executeTakeFirst()
  return row && rightLetter(vault, given, row)
}

/** Ends both codes of the letter. False when somebody else was quicker: a letter opens one session. */
export const spendLetter = async (tx: Db, { id, digitsHash }: RightLetter): Promise<boolean> => {
  let letter = tx.deleteFrom('mailed_codes').where('id', '=', id)
  if (digitsHash) letter = letter.where('digits_hash', '=', digitsHash)
  const { numDeletedRows } = await letter.executeTakeFirst()
  return numDeletedRows > 0n
}

export const forgetMailedCodes = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('mailed_codes').where('expires_at', '<=', now).execute()
}
