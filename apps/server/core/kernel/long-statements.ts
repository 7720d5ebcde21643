import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Until the transaction ends: nobody waits for what looks through whole tables. */
export const allowLongStatements = async (tx: Db): Promise<void> => {
  await sql`set local statement_timeout = 60000`.execute(tx)
}
