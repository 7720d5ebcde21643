import { reauthenticationRequired } from '@sallyport/contract/errors'
import type { Role } from '@sallyport/contract/operation'
import type { Db } from '../../db/client.ts'
import { newConsoleToken } from '../kernel/tokens.ts'
import { sha256, type Vault } from '../kernel/vault.ts'

/**
 * Operators who are signed in. Each request looks into the database: there are few of them, and whatever ends a session
 * ends it on every instance with that.
 */

const idleSeconds = 30 * 60
const longestSeconds = 12 * 3600
const proofSeconds = 5 * 60
const mostListed = 50

export interface ConsoleSession {
  readonly id: string
  readonly operatorId: number
  readonly role: Role
  readonly createdAt: number
  /** When a passkey last proved who it is; null when it began with a link and none has. */
  readonly provedAt: number | null
}

/** Ends for whoever does nothing until then. */
export const idleEndOf = ({ createdAt }: Pick<ConsoleSession, 'createdAt'>, now: number): number =>
  Math.min(now + idleSeconds, createdAt + longestSeconds)

export const endOf = ({ createdAt }: ConsoleSession): number => createdAt + longestSeconds

/** Until when the last proof is good enough for what gives money or power away; null without one. */
export const provedUntil = ({ provedAt }: Pick<ConsoleSession, 'provedAt'>, now: number): number | null =>
  provedAt !== null && now - provedAt <= proofSeconds ? provedAt + proofSeconds : null

/** What only a part of a call's fields, or of its cases, asks a person to prove. Programs have no session, and prove nothing. */
export const requireProof = (session: ConsoleSession | undefined, now: number): void => {
  if (session && provedUntil(session, now) === null) throw reauthenticationRequired()
}

/** The session of a cookie, which is used by being asked for. Undefined when it has ended. */
export const useConsoleSession = async (
  db: Db,
  token: string,
  now: number,
): Promise<ConsoleSession | undefined> => {
  const found = await db
    .selectFrom('operator_sessions as s')
    .innerJoin('operators as o', 'o.id', 's.operator_id')
    .select(['s.id', 's.operator_id', 'o.role', 's.created_at', 's.seen_at', 's.proved_at'])
    .where('s.token_hash', '=', sha256(token))
    .where('o.revoked_at', 'is', null)
    .where('s.created_at', '>', now - longestSeconds)
    .where('s.seen_at', '>', now - idleSeconds)
    .executeTakeFirst()
  if (!found) return undefined
  if (found.seen_at < now) {
    await db.updateTable('operator_sessions').set({ seen_at: now }).where('id', '=', found.id).execute()
  }
  const { id, operator_id: operatorId, role, created_at: createdAt, proved_at: provedAt } = found
  return { id, operatorId, role, createdAt, provedAt }
}

/** One who may come, held until the transaction ends: whoever switches them off waits, and ends what was begun here. */
export const lockActiveOperator = (tx: Db, id: number) =>
  tx
    .selectFrom('operators')
    .select(['id', 'role'])
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** For an operator who is locked. */
export const beginConsoleSession = async (
  tx: Db,
  vault: Vault,
  {
    operator,
    provedAt,
    client,
    now,
  }: {
    readonly operator: { readonly id: number; readonly role: Role }
    readonly provedAt: number | null
    /** What the browser calls itself. */
    readonly client: string | null
    readonly now: number
  },
): Promise<{ readonly token: string; readonly session: ConsoleSession }> => {
  const token = newConsoleToken(vault)
  const { id } = await tx
    .insertInto('operator_sessions')
    .values({
      operator_id: operator.id,
      token_hash: sha256(token),
      created_at: now,
      seen_at: now,
      proved_at: provedAt,
      client,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.updateTable('operators').set({ signed_in_at: now }).where('id', '=', operator.id).execute()
  return { token, session: { id, operatorId: operator.id, role: operator.role, createdAt: now, provedAt } }
}

/** The session as it is by now, of an operator who is locked; undefined when it has ended meanwhile. */
export const readAgain = async (tx: Db, session: ConsoleSession): Promise<ConsoleSession | undefined> => {
  const row = await tx
    .selectFrom('operator_sessions')
    .select('proved_at')
    .where('id', '=', session.id)
    .executeTakeFirst()
  return row && { ...session, provedAt: row.proved_at }
}

/** False when it has ended meanwhile. */
export const noteProof = async (tx: Db, sessionId: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('operator_sessions')
    .set({ proved_at: now })
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const ownSessions = (db: Db, operatorId: number, now: number) =>
  db
    .selectFrom('operator_sessions')
    .where('operator_id', '=', operatorId)
    .where('created_at', '>', now - longestSeconds)
    .where('seen_at', '>', now - idleSeconds)

/** Where an operator is signed in: the current one, then those that were used last. */
export const listConsoleSessions = (db: Db, { id, operatorId }: ConsoleSession, now: number) =>
  ownSessions(db, operatorId, now)
    .select(['id', 'client', 'created_at', 'seen_at'])
    .orderBy((eb) => eb('id', '=', id), 'desc')
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(mostListed)
    .execute()

/** False when the operator has none that is called so and goes on. */
export const endOwnSession = async (
  db: Db,
  { operatorId, id, now }: { readonly operatorId: number; readonly id: string; readonly now: number },
): Promise<boolean> => {
  // What is no uuid is nobody's, and no error of the database.
  const own = ownSessions(db, operatorId, now)
    .select('id')
    .where((eb) => eb(eb.cast<string>('id', 'text'), '=', id))
  const { numDeletedRows } = await db
    .deleteFrom('operator_sessions')
    .where('id', 'in', own)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export const endConsoleSession = async (db: Db, token: string): Promise<void> => {
  await db.deleteFrom('operator_sessions').where('token_hash', '=', sha256(token)).execute()
}

/** What nobody can come in with any more. */
export const forgetOperatorSignIns = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('operator_sessions')
    .where((eb) =>
      eb.or([eb('created_at', '<=', now - longestSeconds), eb('seen_at', '<=', now - idleSeconds)]),
    )
    .execute()
  await db.deleteFrom('operator_links').where('expires_at', '<=', now).execute()
  await db.deleteFrom('operator_challenges').where('expires_at', '<=', now).execute()
}
