import { sql } from 'kysely'
import type { TestService } from '../service.ts'

/**
 * How often PostgreSQL had to part transactions that waited for each other. Connections tell of it up to ten seconds late, but always when
 * they end, so the service is started anew first.
 */
export const countDeadlocks = async (service: TestService): Promise<number> => {
  await service.whileAway(async () => undefined)
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(service.db)
  return Number(rows[0]?.deadlocks)
}
