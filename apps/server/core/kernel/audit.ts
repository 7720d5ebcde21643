import type { Db } from '../../db/client.ts'

/** What operators did, for ever: no secrets, and nothing that a customer may want forgotten. */

export interface AuditNote {
  /** Of what was made; what the path names is known without. */
  readonly id?: number
  /** All of it, as the row was; the log keeps what differs. Null where it was not there. */
  readonly before?: object | null
  readonly after?: object | null
  /** What else is worth knowing. A reason that was given is noted without this. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** What an operator's write answers, and what is noted of it; null of what was only looked at. */
export class Audited<T> {
  readonly data: T
  readonly note: AuditNote | null

  constructor(data: T, note: AuditNote | null) {
    this.data = data
    this.note = note
  }
}

export const audited = <T>(data: T, note: AuditNote): Audited<T> => new Audited(data, note)

/** It was so already: somebody wanted it all the same, and that is noted. */
export const unchanged = <T>(data: T, details: AuditNote['details'] = {}): Audited<T> =>
  new Audited(data, { before: {}, after: {}, details })

/** What would become of a write that was not made. */
export const previewed = <T>(data: T): Audited<T> => new Audited(data, null)

/** An operator's write, run in the transaction that its entry is written in too. */
export type Change<T> = (tx: Db) => Promise<Audited<T>>

export interface AuditEntry {
  readonly operatorId: number
  readonly action: string
  readonly subject: string
  readonly details: Readonly<Record<string, unknown>>
  readonly now: number
}

export const insertAudit = async (tx: Db, entry: AuditEntry): Promise<void> => {
  await tx
    .insertInto('audit_log')
    .values({
      operator_id: entry.operatorId,
      action: entry.action,
      subject: entry.subject,
      // What is undefined is left out.
      details: JSON.stringify(entry.details),
      created_at: entry.now,
    })
    .execute()
}
