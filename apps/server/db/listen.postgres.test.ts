import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/databases/database.ts'
import { openDatabase } from './client.ts'

test('a listener that lost its connection says so, listens again once, and hears everything after', async () => {
  const place = await createTestDatabase()
  const database = await openDatabase(place)
  const heard: string[] = []
  const live: boolean[] = []
  await database.engine.listen('sallyport', {
    onMessage: (text) => heard.push(text),
    onLive: (isLive) => live.push(isLive),
  })
  const { rows } = await sql<{ killed: number }>`
    select count(pg_terminate_backend(pid))::int as killed from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(database.db)
  expect(rows[0]?.killed).toBe(1)
  await expect.poll(() => live, { timeout: 10_000 }).toEqual([true, false, true])
  await sql`select pg_notify('sallyport', 'again')`.execute(database.db)
  await expect.poll(() => heard).toEqual(['again'])
  const listeners = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity where datname = current_database() and query like 'listen %'`.execute(
    database.db,
  )
  expect(listeners.rows[0]?.n).toBe(1)
  await database.close()
  await place.remove()
})
