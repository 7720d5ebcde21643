import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { certificateEnd } from '../fleet/certificates.ts'
import type { Finding } from '../kernel/alerts.ts'

/** What is wrong right now, as the tables show it. Each gives everything of its kind, or so much that a person is called. */

const mostFindings = 100
const paidWaitSeconds = 900
const unreadableSeconds = 3600
const mailWaitSeconds = 300
const certificateWarnSeconds = 14 * 86_400
/** Those made here last ten years. */
const madeHereWatchedAfter = 3600 * 86_400
const endpointPatienceSeconds = 3600
const givenUpSeconds = 3 * 86_400

/** Money is here, and what it was for is not given. */
const findUngranted = async (tx: Db, now: number): Promise<Finding[]> => {
  const { rows } = await sql<{ id: number; paid_at: number }>`
    select o.id, o.paid_at from orders o
    where o.state = 'paid' and o.paid_at <= ${now - paidWaitSeconds}::bigint
      and not exists (select from refunds r where r.order_id = o.id and r.state = 'requested')
    order by o.id limit ${mostFindings}`.execute(tx)
  return rows.map(({ id, paid_at }) => ({
    subject: `order:${id}`,
    details: { order_id: id, paid_at },
    since: paid_at + paidWaitSeconds,
  }))
}

interface Waiting {
  readonly provider: string
  readonly count: number
  readonly since: number
}

/** Nobody could read these from their provider since they were made, or what it told is not taken in. */
const findUnheard = async (tx: Db, now: number): Promise<Finding[]> => {
  const { rows } = await sql<Waiting & { what: string }>`
    select 'payments' as what, provider, count(*)::integer as count, min(created_at) as since from payments
    where next_check_at is not null and state = 'pending' and checks = 0
      and created_at <= ${now - unreadableSeconds}::bigint
    group by provider
    union all
    select 'events', provider, count(*)::integer, min(received_at) from webhook_inbox
    where next_try_at is not null and processed_at is null and received_at <= ${now - paidWaitSeconds}::bigint
    group by provider`.execute(tx)
  return rows.map(({ what, provider, count, since }) => ({
    subject: `provider:${provider}:${what}`,
    details: { provider, [what]: count, oldest_at: since },
    since,
  }))
}

export const findWaitingPayments = async (tx: Db, now: number): Promise<Finding[]> => [
  ...(await findUngranted(tx, now)),
  ...(await findUnheard(tx, now)),
]

export const findStuckMail = async (tx: Db, now: number): Promise<Finding[]> => {
  const { rows } = await sql<{ count: number; since: number | null }>`
    select count(*)::integer as count, min(created_at) as since from mails
    where attempts >= 2 and created_at <= ${now - mailWaitSeconds}::bigint`.execute(tx)
  const [row] = rows
  if (!row || row.since === null) return []
  return [{ subject: 'mail', details: { letters: row.count, oldest_at: row.since }, since: row.since }]
}

/** Of currencies that somebody could pay in; what was set by hand without an end is never old. */
export const findOldRates = async (tx: Db, now: number): Promise<Finding[]> => {
  const { rows } = await sql<{ currency: string; valid_until: number }>`
    select r.currency, r.valid_until from rates r
    where r.valid_until <= ${now}::bigint
      and exists (select from payment_methods m where m.currency = r.currency and m.is_active)`.execute(tx)
  return rows.map(({ currency, valid_until }) => ({
    subject: `rate:${currency}`,
    details: { currency, valid_until },
    since: valid_until,
  }))
}

const endOf = (certificate: string): number | undefined => {
  try {
    return certificateEnd(certificate)
  } catch {
    return undefined
  }
}

export const findEndingCertificates = async (tx: Db, now: number): Promise<Finding[]> => {
  const { rows } = await sql<{ id: number; node_id: number; domain: string; certificate: string }>`
    select id, node_id, domain, certificate from servers
    where owner_term_id is null and state <> 'retired'
      and (is_certificate_public or created_at <= ${now - madeHereWatchedAfter}::bigint)
    order by id`.execute(tx)
  return rows.flatMap(({ id, node_id, domain, certificate }) => {
    const endsAt = endOf(certificate)
    if (endsAt === undefined || endsAt - certificateWarnSeconds > now) return []
    const details = { server_id: id, node_id, domain, ends_at: endsAt }
    return [{ subject: `server:${id}`, details, since: endsAt - certificateWarnSeconds }]
  })
}

/** Nothing gets through for an hour, or something was given up after all its tries. */
export const findFailingWebhooks = async (tx: Db, now: number): Promise<Finding[]> => {
  const { rows } = await sql<{ id: number; failing_since: number | null; gave_up_at: number | null }>`
    select id, failing_since, gave_up_at from webhooks
    where is_active and (failing_since <= ${now - endpointPatienceSeconds}::bigint
      or gave_up_at > ${now - givenUpSeconds}::bigint)
    order by id`.execute(tx)
  return rows.map(({ id, failing_since, gave_up_at }) => ({
    subject: `webhook:${id}`,
    details: { webhook_id: id, failing_since, gave_up_at },
    since: Math.max(failing_since ?? 0, gave_up_at ?? 0),
  }))
}

export const findSilentNodes = async (tx: Db): Promise<Finding[]> => {
  const { rows } = await sql<{ node_id: number; name: string; since: number }>`
    select s.node_id, n.name, s.since from silent_nodes s join nodes n on n.id = s.node_id
    order by s.node_id`.execute(tx)
  return rows.map(({ node_id, name, since }) => ({
    subject: `node:${node_id}`,
    details: { node_id, name, last_seen_at: since },
    since,
  }))
}
