import { sql } from 'kysely'
import type { Db } from './client.ts'

/** What the database's machine takes for now, in milliseconds. */
export const readDatabaseTime = async (db: Db): Promise<number> => {
  const { rows } = await sql<{
    ms: number
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
  return rows[0]?.ms ?? Number.NaN
}
