import type { PasskeyAssertion } from '@sallyport/contract/customer/auth-shapes'
import { ApiError, conflict } from '@sallyport/contract/errors'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { DatabaseError, isUniqueViolation } from '../../../db/driver.ts'
import type { Tables } from '../../../db/types.ts'
import { sameBytes } from '../vault.ts'
import {
  type Challenges,
  endCeremony,
  isCountedBack,
  type KnownPasskey,
  type Registered,
  readAssertion,
  userHandleOf,
} from './webauthn.ts'

/** Where passkeys and their challenges are kept: customers and operators have tables of the same shape. */

interface Places {
  readonly passkeys: keyof Tables & ('passkeys' | 'operator_passkeys')
  readonly challenges: keyof Tables & ('passkey_challenges' | 'operator_challenges')
  readonly accounts: keyof Tables & ('users' | 'operators')
  readonly owner: 'user_id' | 'operator_id'
  readonly handle: 'uuid' | 'handle'
}

export interface ShownPasskey {
  readonly id: number
  readonly title: string
  readonly created_at: number
  readonly last_used_at: number | null
}

export interface NewPasskey extends Registered {
  readonly ownerId: number
  readonly transports: string[]
  readonly title: string
  readonly now: number
}

/** A passkey that signed a challenge of ours, and how often it says it has signed. */
export interface Signed {
  readonly passkeyId: number
  readonly ownerId: number
  readonly counter: number
}

interface Asker {
  readonly db: Db
  readonly publicUrl: () => string
  readonly now: number
}

const foreignKeyViolation = '23503'

/** A session that was let in may be gone by now. */
const refuseEndedSession = (error: unknown): never => {
  if (error instanceof DatabaseError && error.code === foreignKeyViolation) throw new ApiError('UNAUTHORIZED')
  throw error
}

export class PasskeyStore {
  readonly #places: Places

  constructor(places: Places) {
    this.#places = places
  }

  /** Of one session, or of those who sign in: they have none yet. */
  challengesOf({
    db,
    sessionId,
    now,
  }: {
    readonly db: Db
    readonly sessionId: string | null
    readonly now: number
  }): Challenges {
    const table = sql.table(this.#places.challenges)
    return {
      insert: async (hash, expiresAt) => {
        await sql`insert into ${table} (challenge_hash, session_id, expires_at)
          values (${hash}, ${sessionId}, ${expiresAt})`
          .execute(db)
          .catch(refuseEndedSession)
      },
      take: async (hash) => {
        // In a transaction that fails the challenge would come back.
        if (db.isTransaction) throw new Error('A challenge is taken for good, whatever becomes of it')
        const { rows } = await sql<{ expires_at: number }>`delete from ${table}
          where challenge_hash = ${hash} and session_id is not distinct from ${sessionId}::uuid
          returning expires_at`.execute(db)
        return rows[0] !== undefined && rows[0].expires_at > now
      },
    }
  }

  async list(db: Db, ownerId: number): Promise<(ShownPasskey & KnownPasskey)[]> {
    const { passkeys, owner } = this.#places
    const { rows } = await sql<ShownPasskey & KnownPasskey>`
      select id, title, created_at, last_used_at, credential_id, transports from ${sql.table(passkeys)}
      where ${sql.ref(owner)} = ${ownerId} order by id`.execute(db)
    return rows
  }

  async insert(tx: Db, passkey: NewPasskey): Promise<ShownPasskey> {
    const { passkeys, owner } = this.#places
    const { ownerId, credentialId, publicKey, counter, transports, title, now } = passkey
    const { rows } = await sql<ShownPasskey>`
      insert into ${sql.table(passkeys)}
        (${sql.ref(owner)}, credential_id, public_key, counter, transports, title, created_at)
      values (${ownerId}, ${credentialId}, ${publicKey}, ${counter}, ${transports}, ${title}, ${now})
      returning id, title, created_at, last_used_at`
      .execute(tx)
      .catch((error: unknown) => {
        if (!isUniqueViolation(error, `${passkeys}_credential_id_key`)) throw error
        throw conflict('id', 'this passkey is registered already; make another one')
      })
    return rows[0] as ShownPasskey
  }

  /** False when the owner has no such one. */
  async delete(tx: Db, ownerId: number, id: number): Promise<boolean> {
    const { passkeys, owner } = this.#places
    const { numAffectedRows = 0n } = await sql`delete from ${sql.table(passkeys)}
      where id = ${id} and ${sql.ref(owner)} = ${ownerId}`.execute(tx)
    return numAffectedRows > 0n
  }

  /** Undefined when no passkey of ours signed a challenge of this session, or of nobody's yet, for its own account. */
  async readSigned(
    { db, publicUrl, now }: Asker,
    body: PasskeyAssertion,
    sessionId: string | null,
  ): Promise<Signed | undefined> {
    const challenges = this.challengesOf({ db, sessionId, now })
    const ceremony = await endCeremony({ publicUrl, challenges }, body.response.clientDataJSON)
    const passkey = ceremony && (await this.find(db, Buffer.from(body.id, 'base64url')))
    if (!passkey) return undefined
    const { userHandle } = body.response
    const isOfAccount =
      userHandle == null || sameBytes(Buffer.from(userHandle, 'base64url'), userHandleOf(passkey.handle))
    const counter = isOfAccount ? await readAssertion(ceremony, body, passkey.public_key) : undefined
    return counter === undefined ? undefined : { passkeyId: passkey.id, ownerId: passkey.owner_id, counter }
  }

  /** For an owner who is locked. What was deleted meanwhile is `gone`; what counts back may be a copy, and is not used. */
  async noteUse(
    tx: Db,
    { passkeyId, counter }: Signed,
    now: number,
  ): Promise<'used' | 'gone' | 'counted back'> {
    const table = sql.table(this.#places.passkeys)
    const { rows } = await sql<{ counter: number }>`
      select counter from ${table} where id = ${passkeyId}`.execute(tx)
    const stored = rows[0]?.counter
    if (stored === undefined) return 'gone'
    if (isCountedBack(stored, counter)) return 'counted back'
    await sql`update ${table} set counter = ${counter}, last_used_at = ${now} where id = ${passkeyId}`.execute(
      tx,
    )
    return 'used'
  }

  /** By the id that its browser names. */
  async find(db: Db, credentialId: Uint8Array) {
    const { passkeys, accounts, owner, handle } = this.#places
    const { rows } = await sql<{ id: number; owner_id: number; public_key: Uint8Array; handle: string }>`
      select p.id, a.id as owner_id, p.public_key, ${sql.ref(`a.${handle}`)} as handle
      from ${sql.table(passkeys)} p join ${sql.table(accounts)} a on a.id = ${sql.ref(`p.${owner}`)}
      where p.credential_id = ${credentialId}`.execute(db)
    return rows[0]
  }
}

export const customerPasskeys = new PasskeyStore({
  passkeys: 'passkeys',
  challenges: 'passkey_challenges',
  accounts: 'users',
  owner: 'user_id',
  handle: 'uuid',
})

export const operatorPasskeys = new PasskeyStore({
  passkeys: 'operator_passkeys',
  challenges: 'operator_challenges',
  accounts: 'operators',
  owner: 'operator_id',
  handle: 'handle',
})
