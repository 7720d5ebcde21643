import { type AlertKind, wordsOfAlert } from '@sallyport/domain/text/alert-words'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { announcing } from './outbox.ts'

export type { AlertKind }

/** Told of with the statement that opens it. */
const opened = (kind: AlertKind, now: number) => {
  const { ru, en } = wordsOfAlert(kind)
  return announcing({
    type: 'alert.opened',
    subject: sql<string>`'alert:' || alerts.id`,
    data: sql`jsonb_build_object('alert_id', alerts.id, 'kind', alerts.kind, 'subject', alerts.subject,
      'text_ru', ${ru}::text, 'text_en', ${en}::text, 'created_at', alerts.created_at)`,
    now,
  })
}

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
    .returning(opened(kind, now).as('is_announced'))
    .execute()
}

export interface Finding {
  readonly subject: string
  readonly details: Record<string, unknown>
  /** When it began: a person who settled it after that is not asked again. */
  readonly since: number
}

/** Everything of this kind that is so now. What is so again is open again, and what is so no longer is settled by itself. */
export const matchAlerts = async (
  tx: Db,
  kind: AlertKind,
  findings: readonly Finding[],
  now: number,
): Promise<void> => {
  await tx
    .updateTable('alerts')
    .set({ resolved_at: now })
    .where('kind', '=', kind)
    .where('resolved_at', 'is', null)
    .where(sql<boolean>`subject <> all(${findings.map(({ subject }) => subject)}::text[])`)
    .execute()
  for (const { subject, details, since } of findings) {
    await sql`
      insert into alerts (kind, subject, details, created_at)
      values (${kind}, ${subject}, ${JSON.stringify(details)}::jsonb, ${now}::bigint)
      on conflict (kind, subject) do update
        set details = excluded.details, created_at = excluded.created_at, resolved_at = null, resolved_by = null,
          taken_by = null, mailed_at = null, end_mailed_at = null
      where alerts.resolved_at is not null
        and (alerts.resolved_by is null or alerts.resolved_at < ${since}::bigint)
      returning ${opened(kind, now)}`.execute(tx)
  }
}
