import type { Trial } from '@sallyport/contract/agent/agent'
import type { Db } from '../../db/client.ts'
import type { Bus } from '../kernel/bus.ts'
import type { Vault } from '../kernel/vault.ts'

/** Configurations that an engine is asked about before a customer's change is accepted. */

const trialContext = 'trials.config'
const mostAtOnce = 20

export const insertTrial = async (
  tx: Db,
  at: { readonly vault: Vault; readonly bus: Bus; readonly now: number },
  nodeId: number,
  config: string,
): Promise<number> => {
  const { id } = await tx
    .insertInto('trials')
    .values({
      node_id: nodeId,
      config_sealed: at.vault.seal(config, trialContext),
      is_accepted: null,
      reason: null,
      created_at: at.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await at.bus.publish(tx, `node:${nodeId}`)
  return id
}

export const listOpenTrials = async (db: Db, vault: Vault, nodeId: number): Promise<Trial[]> => {
  const rows = await db
    .selectFrom('trials')
    .select(['id', 'config_sealed'])
    .where('node_id', '=', nodeId)
    .where('is_accepted', 'is', null)
    .orderBy('id')
    .limit(mostAtOnce)
    .execute()
  return rows.map((row) => ({ id: row.id, config: vault.open(row.config_sealed, trialContext) }))
}

export interface Verdict {
  readonly nodeId: number
  readonly id: number
  readonly isAccepted: boolean
  readonly reason: string | null
}

/** False when this node was not asked that. */
export const answerTrial = async (tx: Db, bus: Bus, verdict: Verdict): Promise<boolean> => {
  const answered = await tx
    .updateTable('trials')
    .set({ is_accepted: verdict.isAccepted, reason: verdict.reason })
    .where('id', '=', verdict.id)
    .where('node_id', '=', verdict.nodeId)
    .returning('id')
    .executeTakeFirst()
  if (answered) await bus.publish(tx, `trial:${verdict.id}`)
  return answered !== undefined
}

/** The verdict, taken away with its question; undefined while there is none. */
export const takeVerdict = async (db: Db, id: number) => {
  const row = await db
    .deleteFrom('trials')
    .where('id', '=', id)
    .where('is_accepted', 'is not', null)
    .returning(['is_accepted', 'reason'])
    .executeTakeFirst()
  return row && { isAccepted: row.is_accepted === true, reason: row.reason }
}

export const dropTrial = async (db: Db, id: number): Promise<void> => {
  await db.deleteFrom('trials').where('id', '=', id).execute()
}

const keepSeconds = 3600

export const forgetTrials = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom('trials')
    .where('created_at', '<=', now - keepSeconds)
    .execute()
}
