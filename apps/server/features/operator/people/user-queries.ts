import type { UserPage } from '@sallyport/contract/operator/people/user-page'
import type { ProductClass } from '@sallyport/contract/products'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { lastSeenAt, telegramId } from '../../../core/customers/columns.ts'
import { methodOf } from '../../../core/sales/orders.ts'
import type { Pause } from '../../../core/terms/terms.ts'
import { accessOnline } from '../../../core/vpn/access/online.ts'
import type { Db } from '../../../db/client.ts'

/** One customer with everything that they have. What may grow without end is cut. */

type Page = Static<typeof UserPage>

const mostDevices = 500
const mostNotifications = 100
const mostSessions = 100
const lastOrders = 20

type Account = Omit<
  Page,
  | 'flags'
  | 'identities'
  | 'sessions'
  | 'subscriptions'
  | 'terms'
  | 'devices'
  | 'pricing_rules'
  | 'orders'
  | 'notifications'
  | 'events'
> & { readonly flags: string[] }

export const findAccount = async (db: Db, id: number): Promise<Account | undefined> => {
  const { rows } = await sql<Account>`
    select u.id, u.email, u.created_at, u.deleted_at, u.is_blocked, u.sign_in_method, u.referral_code, u.referrer_id,
      u.referrals_count, u.flags, u.note, u.is_note_internal, u.version, ${lastSeenAt} as last_seen_at,
      ${telegramId} as telegram_id,
      (select json_object_agg(a.kind, a.balance) from ledger_accounts a where a.user_id = u.id) as balances
    from users u where u.id = ${id}::bigint`.execute(db)
  return rows[0]
}

export const listIdentities = (db: Db, userId: number) =>
  db
    .selectFrom('identities')
    .select(['id', 'provider', 'subject', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

export const listSessions = (db: Db, userId: number, now: number) =>
  db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(mostSessions)
    .execute()

export const listSubscriptions = async (db: Db, userId: number): Promise<Page['subscriptions']> => {
  const { rows } = await sql<Page['subscriptions'][number]>`
    select s.id, s.kind, s.title, s.term_id, coalesce(s.term_device_limit, s.device_limit) as device_limit,
      s.block_unknown_devices, s.created_at,
      case when f.subscription_id is not null
        then json_build_object('app', f.app, 'at', f.at, 'outcome', f.outcome) end as last_fetch
    from subscriptions s left join subscription_fetches f on f.subscription_id = s.id
    where s.user_id = ${userId}::bigint order by s.id`.execute(db)
  return rows
}

export interface TermRow {
  readonly id: number
  readonly product: ProductClass
  readonly product_id: number | null
  readonly item_id: number
  readonly state: 'active' | 'expired'
  readonly paused: Pause | null
  readonly expires_at: number
  readonly stopped_at: number | null
  readonly auto_renewal: boolean
  readonly auto_renewal_days: number | null
  readonly created_at: number
  readonly up: number
  readonly down: number
}

export const listTerms = async (db: Db, userId: number): Promise<TermRow[]> => {
  const { rows } = await sql<TermRow>`
    select t.id, t.product, t.product_id, t.item_id, t.state, t.paused, t.expires_at, t.stopped_at, t.auto_renewal,
      t.auto_renewal_days, t.created_at, m.up, m.down
    from terms t
    cross join lateral (
      select coalesce(sum(up), 0)::bigint as up, coalesce(sum(down), 0)::bigint as down from meters
      where term_id = t.id) m
    where t.user_id = ${userId}::bigint and t.state <> 'deleted' order by t.id`.execute(db)
  return rows
}

export interface AccessOfTerm {
  readonly id: number
  readonly term_id: number
  readonly protocol: string
  readonly title: string | null
  readonly location_id: number
  readonly location: string
  readonly server_id: number
  readonly node_id: number
  readonly node: string
  readonly is_online: boolean
  readonly is_placed: boolean
  readonly problem: string | null
  readonly up: number
  readonly down: number
}

/** Without proxies that go with a configuration: they are where it is. */
export const listAccessesOf = async (
  db: Db,
  userId: number,
  now: number,
  inEnglish: boolean,
): Promise<AccessOfTerm[]> => {
  const { rows } = await sql<AccessOfTerm>`
    select c.id, c.term_id, c.protocol, c.title, c.location_id, c.server_id, s.node_id, n.name as node,
      case when ${inEnglish}::boolean then l.title_en else l.title_ru end as location,
      ${sql.raw(accessOnline(String(now)))} as is_online,
      exists (select from placements p where p.access_id = c.id and p.node_id = s.node_id and p.is_present) as is_placed,
      (select x.reason from uncarried x where x.access_id = c.id and x.node_id = s.node_id and x.carried_at is null)
        as problem,
      coalesce(m.up, 0) as up, coalesce(m.down, 0) as down
    from terms t join accesses c on c.term_id = t.id
    join servers s on s.id = c.server_id join nodes n on n.id = s.node_id join locations l on l.id = c.location_id
    left join node_status st on st.node_id = s.node_id
    left join meters m on m.access_id = c.id
    where t.user_id = ${userId}::bigint and t.state <> 'deleted' and c.beside_id is null
    order by c.id`.execute(db)
  return rows
}

export const listDevicesOf = async (db: Db, userId: number): Promise<Page['devices']> => {
  const { rows } = await sql<Page['devices'][number]>`
    select d.id, d.subscription_id, d.device_name, d.device_type, d.device_model, d.os_version, d.is_blocked,
      d.is_unnamed as is_fingerprinted, d.created_at, d.last_seen_at
    from subscriptions s join devices d on d.subscription_id = s.id
    where s.user_id = ${userId}::bigint order by d.last_seen_at desc, d.id desc limit ${mostDevices}`.execute(
    db,
  )
  return rows
}

/** Prices are in the smallest units of their currency. */
export const listLastOrders = async (db: Db, userId: number): Promise<Page['orders']> => {
  const { rows } = await sql<Page['orders'][number]>`
    select o.id, o.product, o.item_id, o.state, o.is_renewal, o.as_key, o.days, o.is_gift,
      ${methodOf} as method,
      o.price as amount, o.currency, o.created_at, o.paid_at, o.fulfilled_at, o.refunded_at
    from orders o left join payment_methods m on m.id = o.payment_method_id
    where o.user_id = ${userId}::bigint order by o.id desc limit ${lastOrders}`.execute(db)
  return rows
}

export const listUnread = (db: Db, userId: number) =>
  db
    .selectFrom('notifications')
    .select(['id', 'content', 'content_en', 'visible_at', 'created_at'])
    .where('user_id', '=', userId)
    .where('delivered_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(mostNotifications)
    .execute()

/** Those that may be changed by hand, held until the transaction ends; undefined when the account is gone. */
export const lockForChange = (tx: Db, id: number) =>
  tx
    .selectFrom('users')
    .select(['email', 'note', 'is_note_internal', 'flags'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

export const storeUser = async (
  tx: Db,
  id: number,
  values: {
    readonly email: string | null
    readonly note: string | null
    readonly is_note_internal: boolean
    readonly flags: readonly string[]
  },
): Promise<void> => {
  await tx
    .updateTable('users')
    .set({ ...values, flags: [...values.flags] })
    .where('id', '=', id)
    .execute()
}
