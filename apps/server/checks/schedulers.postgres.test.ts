import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountOf } from '../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { type RunningService, startService } from '../main.ts'

const day = 86_400
const due = 1000

let service: TestService
let other: RunningService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  other = await startService(readConfig(service.env), { clock: service.clock })
})
afterAll(async () => {
  await other.stop()
  await service.stop()
})

test('check 13: two schedulers and 1 000 renewals that are due: 1 000 charges', {
  timeout: 600_000,
}, async () => {
  await service.db
    .updateTable('servers')
    .set({ capacity: 2 * due })
    .execute()
  const users: TestUser[] = []
  for (let n = 0; n < due; n += 50) {
    const some = await Promise.all(Array.from({ length: 50 }, () => service.createUser({ balance: 1000 })))
    await service.heartbeat()
    await Promise.all(some.map((user) => service.buy(user, { enable_auto_renewal: true })))
    users.push(...some)
  }
  service.clock.advance(29 * day + 3600)
  await service.heartbeat()
  for (let round = 0; round < 12; round++) {
    await Promise.all([
      service.running.runJobs(),
      other.runJobs(),
      service.running.runJobs(),
      other.runJobs(),
    ])
  }
  const { rows: charges } = await sql<{ user_id: number }>`
    select user_id from orders where state = 'fulfilled' and is_renewal`.execute(service.db)
  expect(charges).toHaveLength(due)
  expect(new Set(charges.map(({ user_id }) => user_id)).size).toBe(due)
  const terms = await service.db.selectFrom('terms').select(['created_at', 'expires_at']).execute()
  expect(terms.filter((term) => term.expires_at - term.created_at !== 60 * day)).toEqual([])
  expect(await accountOf(service).broken()).toEqual([])
})
