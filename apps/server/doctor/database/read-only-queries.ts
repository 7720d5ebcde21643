import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

const statementTimeoutMs = 4000

/** The first word of a transaction. Said so, it works behind PgBouncer too, which takes no settings with a connection. */
export const forbidWrites = async (tx: Db): Promise<void> => {
  await sql`set transaction read only`.execute(tx)
  await sql.raw(`set local statement_timeout = ${statementTimeoutMs}`).execute(tx)
}
