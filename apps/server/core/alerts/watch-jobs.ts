import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { isOperatorsOwn } from '../fleet/node-owners.ts'
import { onlineWithinSeconds } from '../fleet/servers.ts'
import { type AlertKind, type Finding, matchAlerts } from '../kernel/alerts.ts'
import type { Job } from '../kernel/jobs.ts'
import { announcing } from '../kernel/outbox.ts'
import {
  findEndingCertificates,
  findFailingWebhooks,
  findOldRates,
  findSilentNodes,
  findStuckMail,
  findWaitingPayments,
} from './findings.ts'
import type { JobRuns } from './job-runs.ts'

/** Looks for what a person has to know of. What is so no longer is settled by itself. */

const told = (type: 'node.offline' | 'node.online', now: number) =>
  announcing({
    type,
    subject: sql<string>`'node:' || silent_nodes.node_id`,
    data: sql`jsonb_build_object('node_id', silent_nodes.node_id,
      'name', (select n.name from nodes n where n.id = silent_nodes.node_id), 'last_seen_at',
      (select st.last_seen_at from node_status st where st.node_id = silent_nodes.node_id))`,
    now,
  })

/** Nodes of the operator that an agent has spoken for; customers' machines are looked after by their own job. */
const noteGone = async (tx: Db, now: number): Promise<void> => {
  await sql`
    insert into silent_nodes (node_id, since)
    select n.id, st.last_seen_at from nodes n join node_status st on st.node_id = n.id
    where n.public_key is not null and st.last_seen_at < ${now - onlineWithinSeconds}::bigint
      and ${sql.raw(isOperatorsOwn('n.id'))}
      and not exists (select from silent_nodes k where k.node_id = n.id)
    on conflict do nothing
    returning ${told('node.offline', now)}`.execute(tx)
}

const noteBack = async (tx: Db, now: number): Promise<void> => {
  await sql`
    delete from silent_nodes using node_status st
    where st.node_id = silent_nodes.node_id and st.last_seen_at >= ${now - onlineWithinSeconds}::bigint
    returning ${told('node.online', now)}`.execute(tx)
}

export const watchNodes = (db: Db, now: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    await noteBack(tx, now)
    await noteGone(tx, now)
    await matchAlerts(tx, 'node_gone', await findSilentNodes(tx), now)
  })

export const watchNodesJob: Job<{ readonly db: Db }> = {
  name: 'watch nodes',
  everySeconds: 10,
  run: ({ db }, now) => watchNodes(db, now),
}

const looks: readonly [AlertKind, (tx: Db, now: number) => Promise<Finding[]>][] = [
  ['payment_waits', findWaitingPayments],
  ['mail_stuck', findStuckMail],
  ['rates_old', findOldRates],
  ['certificate_ending', findEndingCertificates],
  ['webhook_endpoint_failed', findFailingWebhooks],
]

export const lookForTrouble = async (
  { db, jobRuns }: { readonly db: Db; readonly jobRuns: JobRuns },
  now: number,
): Promise<void> => {
  const all = [...looks, ['job_stuck', (tx: Db) => jobRuns.findStuck(tx, now)] as const]
  await inTransaction(db, (tx) => jobRuns.note(tx, now))
  for (const [kind, find] of all) {
    await inTransaction(db, async (tx) => matchAlerts(tx, kind, await find(tx, now), now))
  }
}

export const lookForTroubleJob: Job<{ readonly db: Db; readonly jobRuns: JobRuns }> = {
  name: 'look for trouble',
  everySeconds: 60,
  run: lookForTrouble,
}
