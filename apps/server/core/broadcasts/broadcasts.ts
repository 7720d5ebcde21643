import type { BroadcastView } from '@sallyport/contract/operator/people/broadcasts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Tables } from '../../db/types.ts'
import type { Vault } from '../kernel/vault.ts'
import { type Audience, searchContext } from './audience.ts'

/** One message to many, as it is kept. What was searched for may be an address, and is sealed. */

export type Broadcast = Selectable<Tables['broadcasts']>

export const audienceOf = (vault: Vault, { view, search_sealed: sealed }: Broadcast): Audience =>
  sealed ? { search: vault.open(sealed, searchContext) } : { view: view as BroadcastView }

export interface NewBroadcast {
  readonly audience: Audience
  readonly contentRu: string
  readonly contentEn: string
  readonly sendAt: number
  readonly total: number
  readonly operatorId: number
  readonly now: number
}

export const insertBroadcast = (tx: Db, vault: Vault, made: NewBroadcast): Promise<Broadcast> =>
  tx
    .insertInto('broadcasts')
    .values({
      view: 'view' in made.audience ? made.audience.view : null,
      search_sealed: 'search' in made.audience ? vault.seal(made.audience.search, searchContext) : null,
      content_ru: made.contentRu,
      content_en: made.contentEn,
      send_at: made.sendAt,
      total: made.total,
      operator_id: made.operatorId,
      created_at: made.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

export const listBroadcasts = (
  db: Db,
  page: { readonly limit: number; readonly before: number | undefined },
) =>
  db
    .selectFrom('broadcasts')
    .selectAll()
    .$if(page.before !== undefined, (query) => query.where('id', '<', page.before as number))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute()

export const findBroadcast = (db: Db, id: number): Promise<Broadcast | undefined> =>
  db.selectFrom('broadcasts').selectAll().where('id', '=', id).executeTakeFirst()

export const lockBroadcast = (tx: Db, id: number): Promise<Broadcast | undefined> =>
  tx.selectFrom('broadcasts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Whoever sends it now finishes a window first: it is locked that long. */
export const stopBroadcast = (tx: Db, id: number, now: number): Promise<Broadcast> =>
  tx
    .updateTable('broadcasts')
    .set({ state: 'stopped', ended_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** One whose time has come, but those named; those that others send are left to them. */
export const lockDueBroadcast = async (
  tx: Db,
  now: number,
  except: readonly number[] = [],
): Promise<Broadcast | undefined> => {
  const { rows } = await sql<Broadcast>`
    select * from broadcasts where state in ('scheduled', 'sending') and send_at <= ${now}::bigint
      and id <> all(${[...except]}::bigint[])
    order by send_at, id limit 1 for update skip locked`.execute(tx)
  return rows[0]
}

/** Whoever comes later is not meant. */
export const lastUserId = async (tx: Db): Promise<number> => {
  const { id } = await tx
    .selectFrom('users')
    .select(({ fn }) => fn.coalesce(fn.max('id'), sql<number>`0`).as('id'))
    .executeTakeFirstOrThrow()
  return id
}

export const noteProgress = async (
  tx: Db,
  id: number,
  progress: Pick<Broadcast, 'state' | 'total' | 'sent' | 'failed' | 'looked_to' | 'looks_until' | 'ended_at'>,
): Promise<void> => {
  await tx.updateTable('broadcasts').set(progress).where('id', '=', id).execute()
}
