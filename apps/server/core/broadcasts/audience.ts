import type { BroadcastView } from '@sallyport/contract/operator/people/broadcasts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isFound, search } from '../customers/search.ts'
import { type Has, isInView, oneByOne, together } from '../customers/views.ts'
import type { Vault } from '../kernel/vault.ts'

/** Whom a message is for: a view, or what a search finds. Whoever is in it when their turn comes is told. */
export type Audience = { readonly view: BroadcastView } | { readonly search: string }

export const searchContext = 'broadcasts.search'

const isMeant = async (
  db: Db,
  vault: Vault,
  audience: Audience,
  has: Has,
  now: number,
): Promise<RawBuilder<unknown>> => {
  if ('search' in audience) {
    return sql`u.deleted_at is null and ${isFound(await search(db, vault, audience.search))}`
  }
  return audience.view === 'everyone' ? sql`u.deleted_at is null` : isInView(audience.view, has, now)
}

export const countAudience = async (
  db: Db,
  vault: Vault,
  audience: Audience,
  now: number,
): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from users u where ${await isMeant(db, vault, audience, together, now)}`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

/** Those after the one and up to the other. */
export const listAudience = async (
  db: Db,
  vault: Vault,
  audience: Audience,
  at: { readonly after: number; readonly upTo: number; readonly now: number },
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u where u.id > ${at.after}::bigint and u.id <= ${at.upTo}::bigint
      and ${await isMeant(db, vault, audience, oneByOne, at.now)} order by u.id`.execute(db)
  return rows.map((row) => row.id)
}
