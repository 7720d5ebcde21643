import type { ProfileExport } from '@sallyport/contract/customer/export'
import type { ProductClass } from '@sallyport/contract/products'
import { sql } from 'kysely'
import { methodOf } from '../../../core/sales/orders.ts'
import type { Db } from '../../../db/client.ts'

/** What is kept about one customer, list by list, newest first. Nothing here opens what is sealed. */

/** Of whom, and how many of each. */
export interface Whole {
  readonly userId: number
  readonly limit: number
}

type Rows<K extends keyof ProfileExport> = ProfileExport[K] extends (infer Row)[] ? Row[] : never

export const findAccount = async (
  db: Db,
  userId: number,
): Promise<(ProfileExport['profile'] & ProfileExport['notification_settings']) | undefined> => {
  const { rows } = await sql<ProfileExport['profile'] & ProfileExport['notification_settings']>`
    select u.id, u.email, u.created_at, u.sign_in_method, w.balance, r.balance as referral_balance, u.referral_code,
      u.referrals_count, u.referrer_id is not null as was_invited, u.is_messenger_connected, u.onboarding_completed,
      case when not u.is_note_internal then u.note end as operator_note,
      u.renewal_reminders, u.notification_start_hour, u.notification_end_hour, u.timezone_offset
    from users u
    join ledger_accounts w on w.user_id = u.id and w.kind = 'wallet'
    join ledger_accounts r on r.user_id = u.id and r.kind = 'referral'
    where u.id = ${userId}::bigint and u.deleted_at is null`.execute(db)
  return rows[0]
}

export const listIdentities = (db: Db, { userId, limit }: Whole) =>
  db
    .selectFrom('identities')
    .select(['id', 'provider', 'subject', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const listPasskeys = (db: Db, { userId, limit }: Whole) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'title', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const listApiKeys = (db: Db, { userId, limit }: Whole) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'title', 'prefix', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const listPricingRules = (db: Db, { userId, limit }: Whole) =>
  db
    .selectFrom('pricing_rules')
    .select(['type', 'percent', 'comment'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export interface Purchased {
  readonly id: number
  readonly product: ProductClass
  readonly item_id: number
  readonly is_active: boolean
  readonly auto_renewal: boolean
  readonly created_at: number
  readonly expires_at: number
  readonly up: number
  readonly down: number
}

export const listTerms = async (db: Db, { userId, limit }: Whole, now: number): Promise<Purchased[]> => {
  const { rows } = await sql<Purchased>`
    select t.id, t.product, t.item_id, t.state = 'active' and t.expires_at > ${now}::bigint as is_active, t.auto_renewal,
      t.created_at, t.expires_at, m.up, m.down
    from terms t
    cross join lateral (
      select coalesce(sum(up), 0)::bigint as up, coalesce(sum(down), 0)::bigint as down from meters
      where term_id = t.id) m
    where t.user_id = ${userId}::bigint and t.state <> 'deleted' order by t.id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

export interface PurchasedAccess {
  readonly id: number
  readonly term_id: number
  readonly protocol: string
  readonly title: string | null
  readonly location: string
  readonly created_at: number
  readonly up: number
  readonly down: number
}

/** More than the purchases of one account have. */
const mostAccesses = 5000

export const listAccesses = async (
  db: Db,
  termIds: readonly number[],
  inEnglish: boolean,
): Promise<PurchasedAccess[]> => {
  const { rows } = await sql<PurchasedAccess>`
    select c.id, c.term_id, c.protocol, c.title, c.created_at,
      case when ${inEnglish}::boolean then l.title_en else l.title_ru end as location,
      coalesce(m.up, 0) as up, coalesce(m.down, 0) as down
    from accesses c join locations l on l.id = c.location_id
    left join meters m on m.access_id = c.id
    where c.term_id = any(${termIds}::bigint[]) order by c.id desc limit ${mostAccesses}`.execute(db)
  return rows
}

export const listSubscriptions = async (db: Db, { userId, limit }: Whole): Promise<Rows<'subscriptions'>> => {
  const { rows } = await sql<Rows<'subscriptions'>[number]>`
    select s.id, s.kind, s.title, coalesce(s.term_device_limit, s.device_limit) as device_limit, s.created_at,
      coalesce((select json_agg(json_build_object('item_type', x.item_type, 'item_reference_id', x.reference_id)
          order by x.position) from subscription_items x where x.subscription_id = s.id), '[]') as items,
      f.app as last_app, f.at as last_fetched_at
    from subscriptions s left join subscription_fetches f on f.subscription_id = s.id
    where s.user_id = ${userId}::bigint order by s.id desc limit ${limit}`.execute(db)
  return rows
}

export const listDevices = async (db: Db, { userId, limit }: Whole): Promise<Rows<'devices'>> => {
  const { rows } = await sql<Rows<'devices'>[number]>`
    select d.id, d.subscription_id, d.device_name, d.device_type, d.device_model, d.os_version, d.is_blocked, d.created_at,
      d.last_seen_at
    from subscriptions s join devices d on d.subscription_id = s.id
    where s.user_id = ${userId}::bigint order by d.last_seen_at desc, d.id desc limit ${limit}`.execute(db)
  return rows
}

export const listOneTimeLinks = (db: Db, { userId, limit }: Whole): Promise<Rows<'one_time_links'>> =>
  db
    .selectFrom('one_time_links')
    .select(['id', 'access_id as config_id', 'created_at', 'expires_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Amounts are in the smallest units of their currency. */
export const listPayments = async (db: Db, { userId, limit }: Whole): Promise<Rows<'payments'>> => {
  const { rows } = await sql<Rows<'payments'>[number]>`
    select o.id, o.product as product_type, o.state, lower(${methodOf}) as method, o.price as amount, o.currency, o.days,
      o.as_key, o.created_at, o.paid_at, o.refunded_at
    from orders o left join payment_methods m on m.id = o.payment_method_id
    where o.user_id = ${userId}::bigint order by o.id desc limit ${limit}`.execute(db)
  return rows
}

/** With the whole address of whoever was invited, which is not theirs to see. */
export const listEarnings = async (db: Db, { userId, limit }: Whole): Promise<Rows<'referral_earnings'>> => {
  const { rows } = await sql<Rows<'referral_earnings'>[number]>`
    select c.amount, c.state as status, u.email, c.created_at
    from commissions c left join users u on u.id = c.referred_id
    where c.referrer_id = ${userId}::bigint order by c.created_at desc, c.id desc limit ${limit}`.execute(db)
  return rows
}

export const listWithdrawals = async (db: Db, { userId, limit }: Whole): Promise<Rows<'withdrawals'>> => {
  const { rows } = await sql<Rows<'withdrawals'>[number]>`
    select id, amount, status, method, account_masked as account, created_at from withdrawals
    where user_id = ${userId}::bigint order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows
}

export const listPromocodes = (db: Db, { userId, limit }: Whole) =>
  db
    .selectFrom('promocodes')
    .select(['id', 'product_type', 'days', 'created_at', 'used_at'])
    .where('buyer_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Those of later are not said yet. */
export const listUnread = async (
  db: Db,
  { userId, limit }: Whole,
  { inEnglish, now }: { readonly inEnglish: boolean; readonly now: number },
): Promise<Rows<'notifications'>> => {
  const { rows } = await sql<Rows<'notifications'>[number]>`
    select id, case when ${inEnglish}::boolean then coalesce(content_en, content) else content end as content, created_at
    from notifications
    where user_id = ${userId}::bigint and delivered_at is null and visible_at <= ${now}::bigint
    order by id desc limit ${limit}`.execute(db)
  return rows
}

/** Without what they say of other accounts. */
export const listEvents = async (db: Db, { userId, limit }: Whole): Promise<Rows<'events'>> => {
  const { rows } = await sql<Rows<'events'>[number]>`
    select kind, details ->> 'method' as method, created_at from account_events
    where user_id = ${userId}::bigint order by id desc limit ${limit}`.execute(db)
  return rows
}
