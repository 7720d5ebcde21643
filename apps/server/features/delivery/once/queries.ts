import type { OneTimeLink } from '@sallyport/contract/customer/delivery/one-time-links'
import type { ProductClass } from '@sallyport/contract/products'
import { sql } from 'kysely'
import { lockUser } from '../../../core/accounts/users.ts'
import type { Db } from '../../../db/client.ts'

/** Links that wait to be opened, or were. */

/** Of accesses `c` with their terms `t` and customers `u`: what apps are given by a subscription, and nothing else. */
const isDelivered = (now: number) => sql<boolean>`
  t.state = 'active' and t.expires_at > ${now}::bigint and t.paused is null and c.beside_id is null and not c.is_proxy
  and not u.is_blocked and u.deleted_at is null`

const accesses = sql`accesses c join terms t on t.id = c.term_id join users u on u.id = t.user_id`

/** With the credentials for which the link was made, and still of whoever made it. */
const isMeant = sql<boolean>`
  c.id = k.access_id and c.credential_nonce = k.credential_nonce and t.user_id = k.user_id`

export interface OwnAccess {
  readonly credential_nonce: Uint8Array
  readonly is_delivered: boolean
}

/** Held, so that it is not deleted before its link stands. */
export const findOwnAccess = async (
  db: Db,
  { userId, id, now }: { readonly userId: number; readonly id: number; readonly now: number },
): Promise<OwnAccess | undefined> => {
  const { rows } = await sql<OwnAccess>`
    select c.credential_nonce, ${isDelivered(now)} as is_delivered from ${accesses}
    where c.id = ${id}::bigint and t.user_id = ${userId}::bigint and t.state <> 'deleted' and c.beside_id is null
      and not c.is_proxy
    for key share of c`.execute(db)
  return rows[0]
}

/** Holding the account's row makes simultaneous requests count one after another. */
export const countWaitingLocked = async (tx: Db, userId: number, now: number): Promise<number> => {
  await lockUser(tx, userId)
  const { count } = await tx
    .selectFrom('one_time_links')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return count
}

/** Of those that wait no more, all but the ones that ended last: so every one that waits is listed. */
export const forgetSpent = async (
  tx: Db,
  userId: number,
  { now, most }: { readonly now: number; readonly most: number },
): Promise<void> => {
  await sql`
    delete from one_time_links where id in (
      select id from one_time_links
      where user_id = ${userId}::bigint and (used_at is not null or expires_at <= ${now}::bigint)
      order by coalesce(used_at, expires_at) desc, id desc offset ${most}::int)`.execute(tx)
}

export interface NewLink {
  readonly user_id: number
  readonly access_id: number
  readonly credential_nonce: Uint8Array
  readonly key_hash: Uint8Array
  readonly created_at: number
  readonly expires_at: number
}

export const insertLink = async (tx: Db, link: NewLink): Promise<number> => {
  const { id } = await tx.insertInto('one_time_links').values(link).returning('id').executeTakeFirstOrThrow()
  return id
}

export const listLinks = (db: Db, userId: number, limit: number): Promise<OneTimeLink[]> =>
  db
    .selectFrom('one_time_links')
    .select(['id', 'access_id as config_id', 'created_at', 'expires_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const deleteLink = async (db: Db, userId: number, id: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('one_time_links')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** What a link leads to. */
export interface Opened {
  readonly access_id: number
  /** Of the credentials that may be shown: they may be others a moment later. */
  readonly credential_nonce: Uint8Array
  readonly user_id: number
  readonly product: ProductClass
}

interface Opening {
  readonly keyHash: Uint8Array
  readonly attemptHash: Uint8Array | null
  readonly now: number
}

/** One of those who come at once gets it; to the others it is spent when their turn comes. */
export const spendLink = async (
  tx: Db,
  { keyHash, attemptHash, now }: Opening,
): Promise<Opened | undefined> => {
  const { rows } = await sql<Opened>`
    update one_time_links k set used_at = ${now}::bigint, attempt_hash = ${attemptHash}
    from ${accesses}
    where k.key_hash = ${keyHash} and k.used_at is null and k.expires_at > ${now}::bigint
      and ${isMeant} and ${isDelivered(now)}
    returning k.access_id, k.credential_nonce, k.user_id, t.product`.execute(tx)
  return rows[0]
}

export interface SpentLink extends Partial<Opened> {
  readonly used_at: number
  readonly is_same_attempt: boolean
}

/** Undefined when it was not opened; what it leads to is left out where that is delivered no more. */
export const findSpent = async (
  tx: Db,
  { keyHash, attemptHash, now }: Opening,
): Promise<SpentLink | undefined> => {
  const { rows } = await sql<SpentLink>`
    select k.used_at, coalesce(k.attempt_hash = ${attemptHash}::bytea, false) as is_same_attempt,
      c.id as access_id, k.credential_nonce, t.user_id, t.product
    from one_time_links k left join (${accesses}) on ${isMeant} and ${isDelivered(now)}
    where k.key_hash = ${keyHash} and k.used_at is not null`.execute(tx)
  return rows[0]
}

/** In the language of whoever is handed it. */
export const findLocationTitle = async (db: Db, id: number, inEnglish: boolean): Promise<string> => {
  const row = await db
    .selectFrom('locations')
    .select(['title_ru', 'title_en'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return inEnglish ? row.title_en : row.title_ru
}
