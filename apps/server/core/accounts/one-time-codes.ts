import { randomBytes, randomInt } from 'node:crypto'
import { crockfordOf, grouped, readCrockford } from '@sallyport/domain/text/crockford'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import type { IdentityTables } from '../../db/tables/identity-types.ts'
import { refuseTransaction } from '../kernel/security-counters.ts'
import { sameBytes, type Vault } from '../kernel/vault.ts'
import { lockUser } from './users.ts'

/** One-time codes: kept as keyed hashes, one of a kind for a subject at a time, five tries for each network. */

export const codeTtlSeconds = 10 * 60
const triesPerNetwork = 5
/** It takes 4000 networks to use them up, and of 40 bits they guess one in fifty million. */
const triesPerCode = 20_000

type Kind = IdentityTables['sign_in_codes']['kind']

export interface NewCode {
  readonly kind: Kind
  /** What the code belongs to: an account, or the public part of the code itself. */
  readonly subject: string
  readonly code: string
  readonly userId?: number | null
  /** How the session that it opens will have begun. */
  readonly method?: string | null
  /** The one that made it, with which it ends. */
  readonly sessionId?: string
  readonly ttlSeconds?: number
  readonly now: number
}

export interface GivenCode {
  readonly kind: Kind
  readonly subject: string
  readonly code: string
  /** The network it comes from. */
  readonly from: string
  readonly now: number
}

export interface RightCode {
  readonly kind: Kind
  readonly subjectHash: Buffer
  readonly codeHash: Buffer
  readonly userId: number | null
  readonly method: string | null
  readonly triedAt: number
}

const purpose = 'codes'

const hashesOf = (vault: Vault, { kind, subject, code }: { kind: Kind; subject: string; code: string }) => ({
  subjectHash: vault.hash(purpose, 'subject', kind, subject),
  codeHash: vault.hash(purpose, 'code', kind, subject, code),
})

/** Six digits, each set equally likely. */
export const newDigits = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** `symbols` of Crockford's alphabet, a multiple of eight. */
export const newSecret = (symbols: number): string => crockfordOf(randomBytes((symbols * 5) / 8))

/** Replaces whatever code of this kind the subject had. Returns when it ends. */
export const issueCode = async (tx: Db, vault: Vault, code: NewCode): Promise<number> => {
  const { subjectHash, codeHash } = hashesOf(vault, code)
  const expiresAt = code.now + (code.ttlSeconds ?? codeTtlSeconds)
  const fresh = {
    code_hash: codeHash,
    tries_left: triesPerCode,
    user_id: code.userId ?? null,
    method: code.method ?? null,
    session_id: code.sessionId ?? null,
    expires_at: expiresAt,
  }
  await tx
    .insertInto('sign_in_codes')
    .values({ kind: code.kind, subject_hash: subjectHash, ...fresh })
    .onConflict((conflict) => conflict.columns(['kind', 'subject_hash']).doUpdateSet(fresh))
    .execute()
  return expiresAt
}

/** However the session that made it ended: signed out, replaced by another in its browser, too old. */
const isOfLiveSession = (now: number) => sql<boolean>`(session_id is null or exists (
  select from sessions s where s.id = session_id and s.revoked_at is null and s.expires_at > ${now}::bigint))`

interface TriedCode {
  readonly code_hash: Uint8Array
  readonly user_id: number | null
  readonly method: string | null
}

/**
 * Takes one of the network's tries, for good: not in a transaction, because a wrong try that is rolled back would not
 * count. Strangers use up their own five. Undefined when the code is wrong, too old, used, or was tried too often.
 */
export const tryCode = async (db: Db, vault: Vault, given: GivenCode): Promise<RightCode | undefined> => {
  refuseTransaction(db, 'A try')
  const { kind } = given
  const { subjectHash, codeHash } = hashesOf(vault, given)
  const from = vault.hash(purpose, 'from', kind, given.subject, given.from).toString('hex')
  const { rows } = await sql<TriedCode>`
    with code as (
      select code_hash, expires_at from sign_in_codes
      where kind = ${kind} and subject_hash = ${subjectHash} and expires_at > ${given.now}::bigint and tries_left > 0
        and ${isOfLiveSession(given.now)}
    ), tried as (
      insert into security_counters (key, window_start, count)
      select 'code:' || encode(code_hash, 'hex') || ':' || ${from}, expires_at, 1 from code
      on conflict (key, window_start) do update set count = security_counters.count + 1
        where security_counters.count < ${triesPerNetwork}::integer
      returning key
    )
    update sign_in_codes c set tries_left = c.tries_left - 1 from code
    where c.kind = ${kind} and c.subject_hash = ${subjectHash} and c.code_hash = code.code_hash and c.tries_left > 0
      and exists (select from tried)
    returning c.code_hash, c.user_id, c.method`.execute(db)
  const [row] = rows
  if (!sameBytes(row?.code_hash ?? Buffer.alloc(codeHash.length), codeHash) || !row) return undefined
  return { kind, subjectHash, codeHash, userId: row.user_id, method: row.method, triedAt: given.now }
}

/** False when somebody else was quicker: a code opens one session; or when the one that made it has just ended. */
export const spendCode = async (
  tx: Db,
  { kind, subjectHash, codeHash, triedAt }: RightCode,
): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_codes')
    .where('kind', '=', kind)
    .where('subject_hash', '=', subjectHash)
    .where('code_hash', '=', codeHash)
    .where(isOfLiveSession(triedAt))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

// Codes that name themselves: the first symbols are public and say which code is tried -----------------

const publicSymbols = 8
const secretSymbols = 8

/** A code that needs no login beside it, in groups of four; earlier ones of the account stop working. */
export const issueBareCode = (
  db: Db,
  vault: Vault,
  code: Omit<NewCode, 'subject' | 'code' | 'userId'> & { readonly userId: number },
): Promise<{ code: string; expiresAt: number }> =>
  inTransaction(db, async (tx) => {
    // Of two at once, the later one must see the earlier one's code to end it.
    await lockUser(tx, code.userId)
    await tx
      .deleteFrom('sign_in_codes')
      .where('kind', '=', code.kind)
      // Two browsers may come back from an identity provider at once, and each has its own.
      .where('kind', '<>', 'exchange')
      .where('user_id', '=', code.userId)
      .execute()
    const [subject, secret] = [newSecret(publicSymbols), newSecret(secretSymbols)]
    const expiresAt = await issueCode(tx, vault, { ...code, subject, code: secret })
    return { code: grouped(subject + secret), expiresAt }
  })

/** What a person typed, as subject and secret; undefined when it cannot be such a code. */
export const readBareCode = (text: string): { subject: string; code: string } | undefined => {
  const symbols = readCrockford(text, publicSymbols + secretSymbols)
  return symbols === undefined
    ? undefined
    : { subject: symbols.slice(0, publicSymbols), code: symbols.slice(publicSymbols) }
}

export const forgetCodes = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('sign_in_codes').where('expires_at', '<=', now).execute()
}
