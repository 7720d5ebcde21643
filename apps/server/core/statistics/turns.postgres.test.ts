import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { outside } from '../../../../test/support/databases/waiting.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { inTransaction } from '../../db/client.ts'
import { foldFiguresJob } from './fold.ts'
import { restAfter, takeTurn } from './turns.ts'

/** In the middle of an hour. */
const now = 1_800_001_800

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(() =>
  service.db
    .updateTable('figures_state')
    .set({ looks_due_at: null, folded_to: now - 3600 })
    .execute(),
)

const look = (at: number) => takeTurn(service.db, at)

test('one of three that come at once takes the turn, and one of them a minute later', async () => {
  const taken = await Promise.all([now, now, now].map(look))
  expect(taken.filter(Boolean)).toHaveLength(1)
  expect(await look(now + 54)).toBe(false)
  expect(await look(now + 60)).toBe(true)
})

test('who finds somebody at the sums leaves them, and does not wait', async () => {
  await inTransaction(service.db, async (tx) => {
    await sql`select from figures_state for update`.execute(tx)
    expect(await outside(() => look(now))).toBe(false)
  })
  expect(await look(now)).toBe(true)
})

test('a look that took eight seconds is followed by a rest of nineteen times as long, a quick one by none', async () => {
  await look(now)
  await restAfter(service.db, now, 0.1)
  expect(await look(now + 60)).toBe(true)
  await restAfter(service.db, now + 60, 8)
  expect(await look(now + 60 + 8 * 19 - 1)).toBe(false)
  expect(await look(now + 60 + 8 * 19)).toBe(true)
})

test('however long a look takes, there is one in every quarter of an hour', async () => {
  await look(now)
  await restAfter(service.db, now, 300)
  expect(await look(now + 600)).toBe(true)
})

test('a clock that was put back by a day does not end looking', async () => {
  await look(now)
  expect(await look(now - 86_400)).toBe(true)
})

test('the job brings the sums up to now once a minute, whoever runs it', async () => {
  const foldedTo = async () =>
    (await service.db.selectFrom('figures_state').select('folded_to').executeTakeFirstOrThrow()).folded_to
  const run = (at: number) => foldFiguresJob.run(service, at, () => undefined)
  await run(now)
  expect(await foldedTo()).toBe(now - 5)
  await run(now + 20)
  expect(await foldedTo()).toBe(now - 5)
  await run(now + 60)
  expect(await foldedTo()).toBe(now + 55)
})
