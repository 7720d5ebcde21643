import { sql } from 'kysely'
import type { Db } from './client.ts'

/** What the database's machine takes for now, in milliseconds. */
export const readDatabaseTime = async (db: Db): Promise<number> => {
  const { rows } = await sql<{
    ms: number
  }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db)
  return rows[0]?.ms ?? Number.NaN
}

/** When any instance last wrote down that it lives, by the time that it went by, in milliseconds. */
export const readNotedTime = async (db: Db): Promise<number | undefined> => {
  const { rows } = await sql<{ at: number | null }>`select max(noted_at) as at from job_runs`.execute(db)
  return rows[0]?.at ? rows[0].at * 1000 : undefined
}
