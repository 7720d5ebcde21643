import { afterAll, beforeAll, expect, test } from 'vitest'
import { askPostgres } from '../../../test/support/databases/ask.ts'
import { testSecretKey } from '../../../test/support/databases/demo-database.ts'
import { ListedUsers } from '../../../test/support/databases/listed-users.ts'
import { followed, type PostgresServer, startPostgres } from '../../../test/support/databases/postgres.ts'
import { fillPostgres } from '../../../test/support/databases/production.ts'
import { quickFolder } from '../../../test/support/databases/quick-folder.ts'
import { freePort } from '../../../test/support/ports.ts'
import { openLimiter } from '../../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { type RunningService, startService } from '../main.ts'

let primary: PostgresServer
let standby: PostgresServer
let service: RunningService
let token: string

beforeAll(async () => {
  primary = (await startPostgres(quickFolder(), { settings: followed })) as PostgresServer
  token = await fillPostgres(primary.url, testSecretKey)
  standby = (await startPostgres(quickFolder(), {
    settings: followed,
    standbyOf: primary.url,
  })) as PostgresServer
  const config = readConfig({
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URL: standby.url,
    DATABASE_REPLICA_LAG: '3',
    SECRET_KEY: testSecretKey,
    PORT: String(await freePort()),
    DATA_DIR: '/nonexistent',
    LOG_LEVEL: 'silent',
    WARP_URL: 'http://127.0.0.1:9',
  })
  service = await startService(config, { limiter: openLimiter })
})
afterAll(async () => {
  await service?.stop()
  await standby?.stop()
  await primary?.stop()
})

const users = new ListedUsers(
  () => service,
  () => token,
)
const add = async () => expect(await users.add()).toBe(201)
const listed = () => users.listed()
const exported = () => users.exported()
const lag = () => service.database.replicaLagSeconds() ?? 0

test('what may be old is asked of a standby until it falls behind, and again when it has caught up', async () => {
  await add()
  const before = await listed()
  await expect.poll(exported, { timeout: 5000 }).toBe(before)
  await askPostgres(standby, 'select pg_wal_replay_pause()')
  await add()
  // Somebody looks for what he has just done in the list; the table for table programs may be older.
  expect([await listed(), await exported()]).toEqual([before + 1, before])
  await expect.poll(exported, { timeout: 8000 }).toBe(before + 1)
  expect(lag()).toBeGreaterThan(3)
  await askPostgres(standby, 'select pg_wal_replay_resume()')
  await expect.poll(lag, { timeout: 5000 }).toBeLessThan(1)
  expect((await users.call('GET', '/ledger/check')).status).toBe(200)
})

test('without it the primary answers', async () => {
  process.kill(standby.pid, 'SIGKILL')
  for (let n = 0; n < 5; n++) expect((await users.call('GET', '/ledger/check')).status).toBe(200)
  await expect.poll(() => service.database.replicaLagSeconds(), { timeout: 5000 }).toBe(Infinity)
  expect(await exported()).toBe(await listed())
})
