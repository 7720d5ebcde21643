import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/databases/database.ts'
import { openGate } from '../../../test/support/databases/gate.ts'
import { openDatabase } from './client.ts'
import { openPostgres } from './postgres.ts'

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

test('a machine that vanishes before it has said that it listens is left for the next', async () => {
  const { databaseUrl = '', remove } = await createTestDatabase()
  onTestFinished(remove)
  const gate = await openGate(Number(new URL(databaseUrl).port))
  onTestFinished(() => gate.close())
  const engine = await openPostgres(Object.assign(new URL(databaseUrl), { port: gate.port }).href)
  onTestFinished(() => engine.close())
  const live: boolean[] = []
  await engine.listen('sallyport', { onMessage: () => undefined, onLive: (isLive) => live.push(isLive) })
  gate.silenceAfter('listen')
  gate.cut()
  await expect.poll(() => live, { timeout: 12_000 }).toEqual([true, false, true])
})
