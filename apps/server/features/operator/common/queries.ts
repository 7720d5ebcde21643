import type { PricingRuleType } from '@sallyport/contract/product-types'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

export const userExists = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** A customer who is there and stays until the transaction ends. */
export const lockCustomer = async (tx: Db, id: number): Promise<boolean> => {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return user !== undefined
}

export const insertPricingRule = (
  tx: Db,
  rule: {
    user_id: number
    type: PricingRuleType
    product_id: number | null
    percent: number
    comment: string | null
    created_at: number
  },
) =>
  tx
    .insertInto('pricing_rules')
    .values(rule)
    .returning(['id', 'type', 'product_id', 'percent', 'comment'])
    .executeTakeFirstOrThrow()

export const insertNotification = (tx: Db, userId: number, content: string, now: number) =>
  tx
    .insertInto('notifications')
    .values({ user_id: userId, content, content_en: null, cause: null, created_at: now })
    .returning(['id', 'content'])
    .executeTakeFirstOrThrow()

export interface NodeRow {
  readonly id: number
  readonly name: string
  readonly address: string
  readonly desired_revision: number
  readonly last_seen_at: number | null
  readonly applied_revision: number
  readonly apply_error: string | null
  readonly refused_counters: number
  readonly engines: { name: string; state: string; version: string | null; detail: string | null }[]
  readonly servers: {
    id: number
    location_id: number
    capacity: number
    used_slots: number
    protocols: string[]
  }[]
}

export const listNodes = async (db: Db): Promise<NodeRow[]> => {
  const { rows } = await sql<NodeRow>`
    select n.id, n.name, n.address, n.desired_revision, st.last_seen_at, st.applied_revision, st.apply_error, st.engines,
      st.refused_counters,
      coalesce((select json_agg(json_build_object('id', s.id, 'location_id', s.location_id, 'capacity', s.capacity,
          'used_slots', s.used_slots,
          'protocols', (select coalesce(json_agg(i.protocol order by i.protocol), '[]') from inbounds i where i.server_id = s.id))
          order by s.id)
        from servers s where s.node_id = n.id), '[]') as servers
    from nodes n join node_status st on st.node_id = n.id
    order by n.id`.execute(db)
  return rows
}
