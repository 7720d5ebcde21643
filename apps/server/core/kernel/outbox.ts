import type { EventType } from '@sallyport/contract/operator/webhooks/webhooks'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** What happened, for programs of operators: written with the change itself, and only where an endpoint wants to know. */

export interface Announcement {
  readonly type: EventType
  /**
   * Endpoints are told about one subject in the order of what happened: whoever announces holds its row. Text, or SQL over the
   * row that a statement changes.
   */
  readonly subject: string | RawBuilder<string>
  /** Numbers, sums and states; no address and no key. */
  readonly data: Readonly<Record<string, unknown>> | RawBuilder<unknown>
  readonly now: number
}

const isSql = (value: object): value is RawBuilder<unknown> => 'isRawBuilder' in value

/** As a value that a statement returns beside others: it costs no way to the database of its own. */
export const announcing = ({ type, subject, data, now }: Announcement): RawBuilder<boolean> => {
  const details = isSql(data) ? data : sql`${JSON.stringify(data)}::jsonb`
  return sql<boolean>`announce(${type}, ${typeof subject === 'string' ? sql`${subject}::text` : subject}, ${details}, ${now}::bigint)`
}

export const announce = async (tx: Db, announcement: Announcement): Promise<void> => {
  await sql`select ${announcing(announcement)}`.execute(tx)
}
