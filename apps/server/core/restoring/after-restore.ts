import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { allowLongStatements } from '../kernel/jobs.ts'
import { noteRestored } from '../kernel/restored.ts'

/** A database that was taken back to an earlier moment, made fit for a world that has gone on without it. */

/** More than a service gives out in the time that is lost. */
const numbersLeftOut = 1_000_000
const revisionsLeftOut = 1_000_000_000

export interface Settled {
  readonly operator_sessions: number
  readonly customer_sessions: number
  readonly payments_to_ask: number
  readonly broadcasts_stopped: number
  /** Until when nothing lapsed is destroyed. */
  readonly held_until: number
}

/**
 * Numbers that were given out after the moment are known outside: to providers as names of refunds, to nodes as names of
 * accesses, to customers as orders. None of them comes again.
 */
const leaveNumbersOut = async (tx: Db): Promise<void> => {
  await sql`
    select setval(format('%I.%I', schemaname, sequencename)::regclass,
      least(coalesce(last_value, 0) + ${numbersLeftOut}::bigint, max_value))
    from pg_sequences where schemaname = 'public'`.execute(tx)
}

/** Nodes know later revisions than these. A revision that came again with other content would not be noticed. */
const leaveRevisionsOut = async (tx: Db): Promise<void> => {
  await sql`update nodes set desired_revision = desired_revision + ${revisionsLeftOut}::bigint`.execute(tx)
}

const count = async (statement: ReturnType<typeof sql>, tx: Db): Promise<number> =>
  Number((await statement.execute(tx)).numAffectedRows ?? 0)

/** Whatever was ended or used up after the moment works again; what lives shortly anyway is ended. */
const endSignIns = async (tx: Db): Promise<number> => {
  for (const table of [
    'operator_links',
    'operator_challenges',
    'sign_in_codes',
    'mailed_codes',
    'passkey_challenges',
  ]) {
    await sql`delete from ${sql.table(table)}`.execute(tx)
  }
  await sql`delete from one_time_links where used_at is null`.execute(tx)
  return count(sql`delete from operator_sessions`, tx)
}

const endCustomerSessions = (tx: Db, now: number): Promise<number> =>
  count(sql`update sessions set revoked_at = ${now} where revoked_at is null and expires_at > ${now}`, tx)

/** Of what was paid after the moment the providers' events were answered, and will not come again. */
const askProviders = (tx: Db, now: number): Promise<number> =>
  count(sql`update payments set next_check_at = ${now}, leased_until = null where state = 'pending'`, tx)

/** They went out already, as far as anybody knows. */
const stopBroadcasts = (tx: Db, now: number): Promise<number> =>
  count(
    sql`update broadcasts set state = 'stopped' where state in ('scheduled', 'sending') and send_at <= ${now}`,
    tx,
  )

/** Nodes may be further than it knows, and would be put back to what they had before. */
const stopUpgrades = async (tx: Db, now: number): Promise<void> => {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass('agent_upgrades') is not null as is_there`.execute(tx)
  // A backup of an earlier release has none.
  if (!rows[0]?.is_there) return
  await sql`update agent_upgrades set state = 'stopped', stop_reason = 'the service was restored from a backup', ended_at = ${now}
    where state in ('running', 'waiting')`.execute(tx)
  await sql`update agent_upgrade_nodes set state = 'skipped', reason = 'the service was restored from a backup', ended_at = ${now}
    where state in ('told', 'upgrading')`.execute(tx)
}

export const settleRestored = (
  db: Db,
  { now, signsEverybodyOut }: { readonly now: number; readonly signsEverybodyOut: boolean },
): Promise<Settled> =>
  inTransaction(db, async (tx) => {
    await allowLongStatements(tx)
    await leaveNumbersOut(tx)
    await leaveRevisionsOut(tx)
    await stopUpgrades(tx, now)
    return {
      operator_sessions: await endSignIns(tx),
      customer_sessions: signsEverybodyOut ? await endCustomerSessions(tx, now) : 0,
      payments_to_ask: await askProviders(tx, now),
      broadcasts_stopped: await stopBroadcasts(tx, now),
      held_until: await noteRestored(tx, now),
    }
  })
