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

/** Whose the cookie was, also when that session has ended. */
export const findCookieOwner = (db: Db, cookieHash: Uint8Array) =>
  db
    .selectFrom('sessions')
    .select(['id as session_id', 'user_id'])
    .where('cookie_hash', '=', cookieHash)
    .executeTakeFirst()

const operatorTokens = (db: Db) =>
  db
    .selectFrom('operator_tokens as t')
    .innerJoin('operators as o', 'o.id', 't.operator_id')
    .select([
      'o.id',
      'o.role',
      't.id as token_id',
      't.prefix',
      't.secret_hash',
      't.operations',
      't.expires_at',
    ])
    .where('t.revoked_at', 'is', null)
    .where('o.revoked_at', 'is', null)

export const findOperatorToken = (db: Db, prefix: string) =>
  operatorTokens(db).where('t.prefix', '=', prefix).executeTakeFirst()

export interface FoundOperator {
  readonly id: number
  readonly role: Role
  readonly token_id: number
  readonly secret_hash: Uint8Array
  readonly operations: readonly string[] | null
  readonly expires_at: number | null
}

/** All operators that may come, by the prefix of their tokens. */
export const readOperators = async (db: Db): Promise<ReadonlyMap<string, FoundOperator>> => {
  const rows = await operatorTokens(db).execute()
  return new Map(rows.map(({ prefix, ...operator }) => [prefix, operator]))
}

/** The public keys of all nodes that are enrolled, by their ids. */
export const readNodeKeys = async (db: Db): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.selectFrom('nodes').select(['id', 'public_key']).execute()
  return new Map(rows.flatMap(({ id, public_key: key }) => (key === null ? [] : [[String(id), key]])))
}

/** Written at most once a minute per key, for all keys together; what another instance is writing now is left to it. */
const touchKeys = async (
  db: Db,
  table: 'api_keys' | 'operator_tokens',
  ids: readonly number[],
  now: number,
): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable(table)
    .set({ last_used_at: now })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom(table)
        .select('id')
        .where('id', '=', sql<number>`any(${ids})`)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .execute()
}

/** Keys used since the last write, so that last_used_at costs nothing on the request. */
export class UsedKeys {
  #apiKeys = new Set<number>()
  #operatorTokens = new Set<number>()

  readonly add = (id: number): void => {
    this.#apiKeys.add(id)
  }

  readonly addOperatorToken = (id: number): void => {
    this.#operatorTokens.add(id)
  }

  take(): { readonly apiKeys: number[]; readonly operatorTokens: number[] } {
    const taken = { apiKeys: [...this.#apiKeys], operatorTokens: [...this.#operatorTokens] }
    this.#apiKeys = new Set()
    this.#operatorTokens = new Set()
    return taken
  }
}

export const noteUsedKeysJob: Job<{ readonly db: Db; readonly usedKeys: UsedKeys }> = {
  name: 'note used keys',
  everySeconds: 60,
  run: async ({ db, usedKeys }, now) => {
    const { apiKeys, operatorTokens } = usedKeys.take()
    await touchKeys(db, 'api_keys', apiKeys, now)
    await touchKeys(db, 'operator_tokens', operatorTokens, now)
  },
}
