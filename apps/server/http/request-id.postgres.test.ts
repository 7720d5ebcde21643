import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService, usualOrder } from '../../../test/support/service.ts'
import { nameOfInstance } from '../db/connections/capacity.ts'

test('whoever looks into the database sees whose transaction it is, and only for as long', async () => {
  const service = await startTestService({ withoutLimits: true })
  onTestFinished(() => service.stop())
  const namesWhere = async (condition: string) => {
    const { rows } = await sql<{ name: string }>`
      select application_name as name from pg_stat_activity
      where datname = current_database() and ${sql.raw(condition)}`.execute(service.db)
    return rows.map(({ name }) => name)
  }
  const user = await service.createUser({ balance: 1000 })
  await service.heartbeat()
  const holder = await service.running.database.engine.acquire()
  await holder.query('begin', [])
  await holder.query('lock table orders in exclusive mode', [])
  const buying = service.customer(user, 'POST', '/configs', usualOrder, { 'x-request-id': 'who-waits-there' })
  await expect
    .poll(() => namesWhere("wait_event_type = 'Lock'"))
    .toEqual([`${nameOfInstance} who-waits-there`])
  await holder.query('rollback', [])
  holder.release()
  expect((await buying).status).toBe(201)
  expect(await namesWhere("application_name like '%who-waits-there'")).toEqual([])
})
