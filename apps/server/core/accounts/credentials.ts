import type { Role } from '@sallyport/contract/operation'
import { sql } from 'kysely'
import { type Db, prepared } from '../../db/client.ts'
import type { Job } from '../kernel/jobs.ts'

/** Look-ups of who a credential belongs to; each is one read by a unique index. */

export interface FoundApiKey {
  readonly id: number
  readonly user_id: number
  readonly secret_hash: Uint8Array
  readonly is_blocked: boolean
}

export const apiKeyByPrefix = prepared<[string], FoundApiKey>(
  `select k.id, k.user_id, k.secret_hash, u.is_blocked
   from api_keys k join users u on u.id = k.user_id where k.prefix = $1 and u.deleted_at is null`,
)

export const findApiKey = async (db: Db, prefix: string): Promise<FoundApiKey | undefined> =>
  (await apiKeyByPrefix(db, prefix))[0]

export interface FoundSession {
  readonly user_id: number
  readonly expires_at: number
  readonly is_blocked: boolean
}

export const findSession = (db: Db, sessionId: string): Promise<FoundSession | undefined> =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.user_id', 'sessions.expires_at', 'users.is_blocked'])
    .where('sessions.id', '=', sessionId)
    .where('sessions.revoked_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst()

export const findOperatorToken = (db: Db, prefix: string) =>
  db
    .selectFrom('operators')
    .select(['id', 'role', 'token_hash'])
    .where('token_prefix', '=', prefix)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

export interface FoundOperator {
  readonly id: number
  readonly role: Role
  readonly token_hash: Uint8Array
}

/** All operators that may come, by the prefix of their tokens. */
export const readOperators = async (db: Db): Promise<ReadonlyMap<string, FoundOperator>> => {
  const rows = await db
    .selectFrom('operators')
    .select(['id', 'role', 'token_hash', 'token_prefix'])
    .where('revoked_at', 'is', null)
    .execute()
  return new Map(rows.map(({ token_prefix, ...operator }) => [token_prefix, operator]))
}

/** The public keys of all nodes that are enrolled, by their ids. */
export const readNodeKeys = async (db: Db): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.selectFrom('nodes').select(['id', 'public_key']).execute()
  return new Map(rows.flatMap(({ id, public_key: key }) => (key === null ? [] : [[String(id), key]])))
}

/** Written at most once a minute per key, for all keys together; what another instance is writing now is left to it. */
export const touchApiKeys = async (db: Db, ids: readonly number[], now: number): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('api_keys')
        .select('id')
        .where('id', '=', sql<number>`any(${ids})`)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .execute()
}

/** Keys used since the last write, so that last_used_at costs nothing on the request. */
export class UsedKeys {
  #ids = new Set<number>()

  readonly add = (id: number): void => {
    this.#ids.add(id)
  }

  take(): number[] {
    const ids = [...this.#ids]
    this.#ids = new Set()
    return ids
  }
}

export const noteUsedKeysJob: Job<{ readonly db: Db; readonly usedKeys: UsedKeys }> = {
  name: 'note used keys',
  everySeconds: 60,
  run: ({ db, usedKeys }, now) => touchApiKeys(db, usedKeys.take(), now),
}
