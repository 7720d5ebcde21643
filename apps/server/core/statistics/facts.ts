import { type RawBuilder, sql } from 'kysely'
import { methodOf } from '../sales/orders.ts'

/** What each figure means: said once, over what has happened. Everything else only adds it up. */

export type Dimension = 'all' | 'product' | 'method' | 'location'

/** From the first moment, and before the second. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** How figures of a shorter time become one of a longer: added, the last that was seen, or the most. */
export type Together = 'sum' | 'last' | 'most'

export interface Rollup<Measure extends string = string> {
  readonly table: 'sales_rollup' | 'customer_rollup' | 'traffic_rollup' | 'fleet_rollup'
  readonly measures: Readonly<Record<Measure, Together>>
  /** Rows of (dimension, value, at) with every measure, null where a fact says nothing of it. */
  facts(span: Span): RawBuilder<unknown>
  /** When the first of them was. */
  readonly earliest: RawBuilder<unknown>
}

const within = (moment: RawBuilder<unknown>, { from, to }: Span) =>
  sql`${moment} >= ${from}::bigint and ${moment} < ${to}::bigint`

/** An order from before its place was noted says it in what was chosen. */
const placeOf = sql`coalesce(o.location_id,
  case when jsonb_typeof(o.purchase -> 'locationId') = 'number' then (o.purchase ->> 'locationId')::bigint end)`

const ofOrder = sql`o.product, ${methodOf} as method,
  ${placeOf} as location_id`

const withMethod = sql`left join payment_methods m on m.id = o.payment_method_id`

/** Money that was put aside counts from the moment it was credited after all, and before that not at all. */
const receivedAt = sql`coalesce(r.credited_at, r.created_at)`
const isReceived = sql`r.verdict <> 'suspense'`

/** Fulfilled orders, top-ups too; gifts beside them. What was paid inside is paid as it is fulfilled. */
const fulfilled = (span: Span) => sql`
  select o.fulfilled_at as at, ${ofOrder}, case when o.is_gift then 0 else 1 end as orders, 0 as money_in,
    case when m.key in ('balance', 'referral') then o.value_rub else 0 end as from_balance, 0 as refunded,
    case when o.is_gift then 1 else 0 end as gifts
  from orders o ${withMethod} where ${within(sql`o.fulfilled_at`, span)}`

/** Money from outside, in roubles: for orders, for the balance, and what was more than asked for. */
const received = (span: Span) => sql`
  select ${receivedAt}, ${ofOrder}, 0, r.value_rub, 0, 0, 0
  from receipts r join orders o on o.id = r.order_id ${withMethod}
  where ${isReceived} and ${within(receivedAt, span)}`

/** What an order was worth when it was given back, wherever to; also one that could not be fulfilled. */
const givenBack = (span: Span) => sql`
  select o.refunded_at, ${ofOrder}, 0, 0, 0, o.value_rub, 0
  from orders o ${withMethod} where o.price > 0 and ${within(sql`o.refunded_at`, span)}`

/** What came beyond the price of an order and went back to where it came from. */
const returned = (span: Span) => sql`
  select f.done_at, ${ofOrder}, 0, 0, 0,
    case r.verdict when 'extra' then r.value_rub else greatest(0, r.value_rub - o.value_rub) end, 0
  from refunds f join receipts r on r.id = f.receipt_id join orders o on o.id = f.order_id ${withMethod}
  where f.state = 'done' and f.destination = 'source' and ${isReceived}
    and (r.verdict = 'extra' or f.amount > o.price) and ${within(sql`f.done_at`, span)}`

export const sales: Rollup<'orders' | 'money_in' | 'from_balance' | 'refunded' | 'gifts'> = {
  table: 'sales_rollup',
  measures: { orders: 'sum', money_in: 'sum', from_balance: 'sum', refunded: 'sum', gifts: 'sum' },
  facts: (span) => sql`
    select d.dimension, d.value, f.at, f.orders, f.money_in, f.from_balance, f.refunded, f.gifts
    from (${fulfilled(span)} union all ${received(span)} union all ${givenBack(span)} union all ${returned(span)}) f
    cross join lateral (values ('all', ''), ('product', f.product), ('method', f.method),
      ('location', coalesce(f.location_id::text, ''))) d (dimension, value)`,
  earliest: sql`
    select least((select min(fulfilled_at) from orders), (select min(coalesce(credited_at, created_at)) from receipts),
      (select min(refunded_at) from orders)) as at`,
}

/** A customer's first money from outside. */
const firstPaid = (span: Span) => sql`
  select ${receivedAt}, 0, 1, null, 0
  from receipts r join orders o on o.id = r.order_id
  where ${isReceived} and ${within(receivedAt, span)} and not exists (
    select from orders e join receipts b on b.order_id = e.id
    where e.user_id = o.user_id and b.verdict <> 'suspense'
      and (coalesce(b.credited_at, b.created_at), b.id) < (${receivedAt}, r.id))`

export const customers: Rollup<'new' | 'first_paid' | 'active' | 'ended'> = {
  table: 'customer_rollup',
  measures: { new: 'sum', first_paid: 'sum', active: 'last', ended: 'sum' },
  facts: (span) => sql`
    select 'all' as dimension, '' as value, f.at, f.new, f.first_paid, f.active, f.ended
    from (
      select u.created_at as at, 1 as new, 0 as first_paid, null::bigint as active, 0 as ended
      from users u where ${within(sql`u.created_at`, span)}
      union all ${firstPaid(span)}
      union all select l.at, 0, 0, l.active, 0 from customer_looks l where ${within(sql`l.at`, span)}
      union all select e.at, 0, 0, null, 1 from ended_customers e where ${within(sql`e.at`, span)}
    ) f`,
  earliest: sql`
    select least((select min(created_at) from users), (select min(coalesce(credited_at, created_at)) from receipts),
      (select min(at) from customer_looks), (select min(at) from ended_customers)) as at`,
}

export const traffic: Rollup<'bytes_up' | 'bytes_down'> = {
  table: 'traffic_rollup',
  measures: { bytes_up: 'sum', bytes_down: 'sum' },
  facts: (span) => sql`
    select d.dimension, d.value, c.at, c.up as bytes_up, c.down as bytes_down
    from node_traffic c
    cross join lateral (values ('all', ''), ('location', c.location_id::text)) d (dimension, value)
    where ${within(sql`c.at`, span)}`,
  earliest: sql`select min(at) as at from node_traffic`,
}

export const fleet: Rollup<'nodes' | 'nodes_online' | 'capacity' | 'used_slots' | 'customers_online'> = {
  table: 'fleet_rollup',
  measures: {
    nodes: 'last',
    nodes_online: 'last',
    capacity: 'last',
    used_slots: 'last',
    customers_online: 'most',
  },
  facts: (span) => sql`
    select case l.location_id when 0 then 'all' else 'location' end as dimension,
      case l.location_id when 0 then '' else l.location_id::text end as value,
      l.at, l.nodes, l.nodes_online, l.capacity, l.used_slots, l.customers_online
    from fleet_looks l where ${within(sql`l.at`, span)}`,
  earliest: sql`select min(at) as at from fleet_looks`,
}

export const everyRollup: readonly Rollup[] = [sales, customers, traffic, fleet]

/** Something of each measure. */
export const ofEach = <M extends string, T>(
  { measures }: Rollup<M>,
  make: (name: M, together: Together) => T,
): Record<M, T> => {
  const made = {} as Record<M, T>
  for (const name in measures) made[name] = make(name, measures[name])
  return made
}

/** Sums of facts, or of sums. */
export const summed = ({ measures }: Rollup, of: string): RawBuilder<unknown> =>
  sql.join(
    Object.entries(measures).map(([name, together]) => {
      const column = sql.ref(`${of}.${name}`)
      if (together === 'sum') return sql`coalesce(sum(${column}), 0)::bigint as ${sql.ref(name)}`
      if (together === 'most') return sql`max(${column}) as ${sql.ref(name)}`
      const last = sql`(array_agg(${column} order by ${sql.ref(`${of}.at`)} desc) filter (where ${column} is not null))[1]`
      return sql`${last} as ${sql.ref(name)}`
    }),
  )

/** Which of these beginnings a moment belongs to. */
export const bucketOf = (moment: RawBuilder<unknown>, starts: readonly number[]): RawBuilder<unknown> =>
  sql`(${starts}::bigint[])[width_bucket(${moment}, ${starts}::bigint[])]`
