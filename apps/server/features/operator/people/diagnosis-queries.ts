import type { AccessFacts, DiagnosisFacts, TermFacts } from '@sallyport/domain/lifecycle/diagnosis-facts'
import { secondsInDay } from '@sallyport/domain/time/period'
import { sql } from 'kysely'
import { onlineWithinSeconds } from '../../../core/fleet/servers.ts'
import type { Db } from '../../../db/client.ts'

/** What a diagnosis is made of. */

/** Grants take a moment. */
const stuckSeconds = 120
/** Apps ask twice a day. */
const staleSeconds = 2 * secondsInDay

type Account = Pick<DiagnosisFacts, 'isDeleted' | 'isBlocked' | 'hadTerms'>

export const accountFacts = async (db: Db, userId: number): Promise<Account | undefined> => {
  const { rows } = await sql<Account>`
    select u.deleted_at is not null as "isDeleted", u.is_blocked as "isBlocked",
      exists (select from terms t where t.user_id = u.id) as "hadTerms"
    from users u where u.id = ${userId}::bigint`.execute(db)
  return rows[0]
}

export const termFacts = async (db: Db, userId: number, now: number): Promise<TermFacts[]> => {
  const { rows } = await sql<TermFacts>`
    select t.id, t.state = 'active' and t.expires_at > ${now}::bigint as "isLive", t.paused,
      t.expires_at as "expiresAt", t.stopped_at is not null as "isStopped"
    from terms t where t.user_id = ${userId}::bigint and t.state <> 'deleted' order by t.id`.execute(db)
  return rows
}

/** Of terms that are on. */
const isOn = (now: number) => sql`t.state = 'active' and t.expires_at > ${now}::bigint and t.paused is null`

export const accessFacts = async (db: Db, userId: number, now: number): Promise<AccessFacts[]> => {
  const { rows } = await sql<AccessFacts>`
    select c.id, c.protocol, s.id as "serverId", n.id as "nodeId", n.name as node,
      exists (select from placements p where p.access_id = c.id and p.node_id = n.id and p.is_present) as "isPlaced",
      (select x.reason from uncarried x where x.access_id = c.id and x.node_id = n.id and x.carried_at is null) as problem,
      coalesce(st.last_seen_at >= ${now - onlineWithinSeconds}::bigint, false) as "isNodeHeard",
      st.last_seen_at as "nodeSeenAt", st.apply_error as "nodeError",
      n.desired_revision > coalesce(st.applied_revision, 0) as "isNodeBehind",
      coalesce(i.engine, c.protocol) as engine,
      n.sells_without_engine or i.engine is null or coalesce(i.engine = any(st.ready_engines)
        and c.protocol || '-' || s.id <> all(st.closed_inbounds), false) as "isEngineReady"
    from terms t join accesses c on c.term_id = t.id
    join servers s on s.id = c.server_id join nodes n on n.id = s.node_id
    left join node_status st on st.node_id = n.id
    left join inbounds i on i.server_id = s.id and i.protocol = c.protocol
    where t.user_id = ${userId}::bigint and ${isOn(now)} and c.beside_id is null
      and not exists (select from machines m where m.term_id = t.id and m.status <> 'active')
    order by c.id`.execute(db)
  return rows
}

/** Of machines it is told apart what they wait for. */
export const emptyTerms = async (db: Db, userId: number, now: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select t.id from terms t
    where t.user_id = ${userId}::bigint and ${isOn(now)}
      and not exists (select from accesses c where c.term_id = t.id)
      and not exists (select from machines m where m.term_id = t.id) order by t.id`.execute(db)
  return rows.map((row) => row.id)
}

export const machineFacts = async (
  db: Db,
  userId: number,
  now: number,
): Promise<DiagnosisFacts['machines']> => {
  const { rows } = await sql<{ id: number; problem: string | null }>`
    select m.id, m.problem from terms t join machines m on m.term_id = t.id
    where t.user_id = ${userId}::bigint and ${isOn(now)} and m.status <> 'active' order by m.id`.execute(db)
  return rows
}

export const paymentFacts = async (
  db: Db,
  userId: number,
  now: number,
): Promise<DiagnosisFacts['payment']> => {
  const { rows } = await sql<DiagnosisFacts['payment']>`
    select
      (select o.id from orders o where o.user_id = ${userId}::bigint and o.state = 'paid'
        and o.paid_at <= ${now - stuckSeconds}::bigint order by o.id limit 1) as "stuckOrder",
      (select json_build_object('receiptId', r.id, 'orderId', o.id) from orders o join receipts r on r.order_id = o.id
        where o.user_id = ${userId}::bigint and r.verdict = 'suspense' order by r.id limit 1) as aside,
      (select o.id from orders o where o.user_id = ${userId}::bigint and o.state = 'created'
        and (o.expires_at is null or o.expires_at > ${now}::bigint) order by o.id desc limit 1) as "waitingOrder",
      exists (select from terms t where t.user_id = ${userId}::bigint and t.state = 'active'
        and t.expires_at > ${now}::bigint and t.auto_renewal and t.renewal_tried_at is not null) as "hasRenewalFailed"`.execute(
    db,
  )
  return rows[0] as DiagnosisFacts['payment']
}

export const fetchFacts = async (
  db: Db,
  userId: number,
  now: number,
): Promise<Pick<DiagnosisFacts, 'fetch' | 'isFetchStale'>> => {
  const { rows } = await sql<{ at: number; app: string; outcome: string; is_behind: boolean }>`
    select f.at, f.app, f.outcome, coalesce(f.revision, 0) < s.revision as is_behind
    from subscriptions s join subscription_fetches f on f.subscription_id = s.id
    where s.user_id = ${userId}::bigint order by f.at desc, s.id limit 1`.execute(db)
  const [row] = rows
  if (!row) return { fetch: null, isFetchStale: false }
  const { is_behind: isBehind, ...fetch } = row
  return { fetch, isFetchStale: isBehind && fetch.at <= now - staleSeconds }
}

/** Counters are written when they have grown. */
export const findTrafficAt = async (db: Db, userId: number): Promise<number | null> => {
  const { rows } = await sql<{ at: number | null }>`
    select max(x.seen_at) as at from terms t join accesses c on c.term_id = t.id
    join placements p on p.access_id = c.id
    join traffic_counters x on x.node_id = p.node_id and x.access_id = c.id
    where t.user_id = ${userId}::bigint and t.state <> 'deleted'`.execute(db)
  return rows[0]?.at ?? null
}
