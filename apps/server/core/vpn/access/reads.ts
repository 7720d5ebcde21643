import { ApiError } from '@sallyport/contract/errors'
import { sql } from 'kysely'
import { type Db, prepared } from '../../../db/client.ts'
import { type StatsNode, serverStats } from '../../fleet/server-stats.ts'
import { type AccessRow, accessRowColumns, accessRowFrom, indexColumn } from './access-row.ts'
import { flagsColumn } from './flags.ts'
import { accessOnline } from './online.ts'
import { type AccessOwner, isOwned } from './owner.ts'

/** Accesses as customers look at them. */

export interface ShownAccess extends AccessRow {
  readonly location_id: number
  readonly expires_at: number
  readonly created_at: number
  readonly flags: string[]
  readonly auto_renewal: boolean
  readonly auto_renewal_days: number | null
  readonly is_online: boolean
  /** Within its option; null of what is sold alone. */
  readonly index: number | null
}

const columns = `
  ${accessRowColumns()}, c.location_id, t.expires_at, c.created_at, ${flagsColumn('$1')} as flags, t.auto_renewal,
  t.auto_renewal_days, ${accessOnline('$2')} as is_online, ${indexColumn} as index
  ${accessRowFrom}
  join node_status st on st.node_id = i.node_id
  where t.user_id = $1 and t.product = $3 and coalesce(t.item_id = $4, true)
    and ($5::bigint is null or t.product_id = $5) and t.state <> 'deleted'`

type OwnerParameters = [
  userId: number,
  now: number,
  product: string,
  itemId: number | null,
  productId: number | null,
]

const page = prepared<[...OwnerParameters, limit: number, offset: number], ShownAccess>(
  `select ${columns} order by c.id limit $6 offset $7`,
)

const one = prepared<[...OwnerParameters, id: number], ShownAccess>(`select ${columns} and c.id = $6`)

/** Of one product: what a feature looks after. */
export type ProductOwner = AccessOwner & Required<Pick<AccessOwner, 'product'>>

const asked = ({ userId, product, itemId, productId }: ProductOwner, now: number): OwnerParameters => [
  userId,
  now,
  product,
  itemId ?? null,
  productId ?? null,
]

export const listAccesses = (
  db: Db,
  owner: ProductOwner,
  at: { readonly now: number; readonly limit: number; readonly offset: number },
): Promise<ShownAccess[]> => page(db, ...asked(owner, at.now), at.limit, at.offset)

export const findAccess = async (
  db: Db,
  owner: ProductOwner,
  now: number,
  id: number,
): Promise<ShownAccess | undefined> => (await one(db, ...asked(owner, now), id))[0]

export const ownsAccess = async (db: Db, owner: AccessOwner, id: number): Promise<boolean> => {
  const row = await db
    .selectFrom('accesses as c')
    .innerJoin('terms as t', 't.id', 'c.term_id')
    .select('c.id')
    .where('c.id', '=', id)
    .where('c.beside_id', 'is', null)
    .where(isOwned(owner))
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a customer has anything with credentials. */
export const hasAccesses = async (db: Db, userId: number): Promise<boolean> => {
  const row = await db
    .selectFrom('terms as t')
    .innerJoin('accesses as c', 'c.term_id', 't.id')
    .select('c.id')
    .where(isOwned({ userId }))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const changeTitle = async (
  db: Db,
  owner: AccessOwner,
  id: number,
  title: string | null,
  isProxy = false,
): Promise<true> => {
  const changed = await db
    .updateTable('accesses as c')
    .from('terms as t')
    .set({ title })
    .whereRef('t.id', '=', 'c.term_id')
    .where('c.id', '=', id)
    .where('c.beside_id', 'is', null)
    .where('c.is_proxy', '=', isProxy)
    .where(isOwned(owner))
    .returning('c.id')
    .executeTakeFirst()
  if (!changed) throw new ApiError('NOT_FOUND')
  return true
}

/** The load of the machine that carries it. */
export const showStats = async (db: Db, owner: AccessOwner, id: number, now: number) => {
  const node: StatsNode | undefined = await db
    .selectFrom('accesses as c')
    .innerJoin('terms as t', 't.id', 'c.term_id')
    .innerJoin('servers as s', 's.id', 'c.server_id')
    .innerJoin('nodes as n', 'n.id', 's.node_id')
    .innerJoin('node_status as st', 'st.node_id', 'n.id')
    .select(['st.node_id', 'n.address as host', 'st.uptime_seconds', 'st.cpu_model'])
    .select(sql<boolean>`${sql.raw(accessOnline(String(now)))}`.as('is_online'))
    .where('c.id', '=', id)
    .where('c.beside_id', 'is', null)
    .where(isOwned(owner))
    .executeTakeFirst()
  if (!node) throw new ApiError('NOT_FOUND')
  return serverStats(db, node, now)
}
