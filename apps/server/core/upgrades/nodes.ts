import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Going, Heard, Verdict } from './judge.ts'

/** Nodes of an upgrade beside what was heard of each. */

export type GoingAndHeard = Going & Heard

/** Of a wave, and whoever is still on the way. */
export const readNodes = async (tx: Db, upgradeId: number, wave: number): Promise<GoingAndHeard[]> => {
  const { rows } = await sql<GoingAndHeard>`
    select w.node_id, w.wave, w.state, w.release, w.wish, w.engines_before, w.had_apply_error, w.told_at, w.due_revision,
      st.last_seen_at, st.agent_release, st.can_upgrade, st.upgrade_wish, st.upgrade_failure, st.ready_engines,
      st.apply_error, st.applied_revision, n.desired_revision
    from agent_upgrade_nodes w join nodes n on n.id = w.node_id join node_status st on st.node_id = w.node_id
    where w.upgrade_id = ${upgradeId}::bigint and (w.wave = ${wave} or w.state in ('told', 'upgrading'))
    order by w.node_id`.execute(tx)
  return rows
}

/** Those of them that something else tells something just now. */
export const listBusy = async (tx: Db, nodeIds: readonly number[]): Promise<ReadonlySet<number>> => {
  const rows = await tx
    .selectFrom('agent_upgrade_nodes')
    .select('node_id')
    .where('node_id', 'in', nodeIds)
    .where('state', 'in', ['told', 'upgrading'])
    .execute()
  return new Set(rows.map(({ node_id }) => node_id))
}

const ends: readonly string[] = ['done', 'ill', 'skipped']

export const storeVerdict = async (
  tx: Db,
  upgradeId: number,
  nodeId: number,
  verdict: Verdict & { readonly now: number },
): Promise<void> => {
  const { state, reason, due_revision, now } = verdict
  await tx
    .updateTable('agent_upgrade_nodes')
    .set({
      state,
      ...(reason !== undefined && { reason }),
      ...(due_revision !== undefined && { due_revision }),
      ended_at: ends.includes(state) ? now : null,
      ...(state === 'waiting' && { told_at: null }),
    })
    .where('upgrade_id', '=', upgradeId)
    .where('node_id', '=', nodeId)
    .execute()
}

/** With how it is before, by which it is judged after. */
export const tell = async (tx: Db, upgradeId: number, node: GoingAndHeard, now: number): Promise<void> => {
  await tx
    .updateTable('agent_upgrade_nodes')
    .set({
      state: 'told',
      // A wish that was withdrawn may have been followed all the same.
      wish: sql<string>`gen_random_uuid()::text`,
      told_at: now,
      release_before: node.agent_release,
      engines_before: [...node.ready_engines],
      had_apply_error: node.apply_error !== null,
      due_revision: null,
      reason: null,
    })
    .where('upgrade_id', '=', upgradeId)
    .where('node_id', '=', node.node_id)
    .execute()
}
