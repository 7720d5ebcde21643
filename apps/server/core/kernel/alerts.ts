import type { Db } from '../../db/client.ts'

export type AlertKind =
  | 'wrong_amount'
  | 'unknown_payment'
  | 'grant_failed'
  | 'refund_failed'
  | 'refund_uncovered'
  | 'partial_refund'
  | 'dispute'
  | 'webhook_failed'
  | 'rates_failed'
  | 'provider_refused'
  | 'paid_after_deletion'
  | 'cloud_refused'
  | 'machine_wanted'
  | 'machine_failed'
  | 'machine_lost'
  | 'machine_stuck'
  | 'machine_orphan'
  | 'machine_free'

/** Settled by the service itself, on an operator's word. */
export const closeAlert = async (
  tx: Db,
  alert: { kind: AlertKind; subject: string; operatorId: number; now: number },
): Promise<void> => {
  await tx
    .updateTable('alerts')
    .set({ resolved_at: alert.now, resolved_by: alert.operatorId })
    .where('kind', '=', alert.kind)
    .where('subject', '=', alert.subject)
    .where('resolved_at', 'is', null)
    .execute()
}

/** Something only a person can put right. The same thing is reported once. */
export const raiseAlert = async (
  tx: Db,
  alert: { kind: AlertKind; subject: string; details: Record<string, unknown>; now: number },
): Promise<void> => {
  const { kind, subject, details, now } = alert
  await tx
    .insertInto('alerts')
    .values({
      kind,
      subject,
      details: JSON.stringify(details),
      created_at: now,
      resolved_at: null,
      resolved_by: null,
    })
    .onConflict((oc) => oc.columns(['kind', 'subject']).doNothing())
    .execute()
}
