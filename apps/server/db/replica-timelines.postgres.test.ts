import { afterAll, beforeAll, expect, test } from 'vitest'
import { askPostgres } from '../../../test/support/databases/ask.ts'
import { testSecretKey } from '../../../test/support/databases/demo-database.ts'
import { type Gate, openGate } from '../../../test/support/databases/gate.ts'
import { ListedUsers } from '../../../test/support/databases/listed-users.ts'
import { followed, type PostgresServer, startPostgres } from '../../../test/support/databases/postgres.ts'
import { fillPostgres } from '../../../test/support/databases/production.ts'
import { quickFolder } from '../../../test/support/databases/quick-folder.ts'
import { freePort } from '../../../test/support/ports.ts'
import { openLimiter } from '../../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { type RunningService, startService } from '../main.ts'

/** A primary that another one replaces, though it lives on with its standbys: what it goes on to write never was. */
const servers: PostgresServer[] = []
let [first, second, staying, moving]: PostgresServer[] = []
let toPrimary: Gate
let toReplica: Gate
let service: RunningService
let token: string

const at = (server: PostgresServer | undefined): PostgresServer => server as PostgresServer
const portOf = (server: PostgresServer | undefined): number => Number(new URL(at(server).url).port)

const ask = (server: PostgresServer | undefined, ...statements: string[]) =>
  askPostgres<{ place: number }>(at(server), ...statements)

const start = async (standbyOf?: PostgresServer): Promise<PostgresServer> => {
  const options = { settings: followed, ...(standbyOf && { standbyOf: standbyOf.url }) }
  const server = (await startPostgres(quickFolder(), options)) as PostgresServer
  servers.push(server)
  return server
}

/** Two roles, of which the second is told by no standby whom it receives from. */
const roles = { told: 'postgres', untold: 'sallyport' }
const served = async (role: string): Promise<RunningService> => {
  const through = ({ port }: Gate) => {
    const url = Object.assign(new URL(at(first).url), { port })
    if (role === roles.untold) Object.assign(url, { username: role, password: role })
    return url.href
  }
  const config = readConfig({
    DATABASE_URL: through(toPrimary),
    DATABASE_REPLICA_URL: through(toReplica),
    SECRET_KEY: testSecretKey,
    PORT: String(await freePort()),
    DATA_DIR: '/nonexistent',
    LOG_LEVEL: 'silent',
    WARP_URL: 'http://127.0.0.1:9',
  })
  return startService(config, { limiter: openLimiter })
}

beforeAll(async () => {
  first = await start()
  token = await fillPostgres(first.url, testSecretKey)
  await ask(
    first,
    `create role sallyport login password 'sallyport'`,
    'grant all on schema public to sallyport',
    'grant all on all tables in schema public to sallyport',
    'grant all on all sequences in schema public to sallyport',
  )
  for (const _ of 'abc') await start(first)
  ;[, second, staying, moving] = servers
  // It gets from the second what that gets from the first, so that it is never ahead of it.
  const { port, password } = new URL(at(second).url)
  await ask(
    moving,
    `alter system set primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=${password}'`,
    'select pg_reload_conf()',
  )
  toPrimary = await openGate(portOf(first))
  toReplica = await openGate(portOf(staying))
  service = await served(roles.told)
})
afterAll(async () => {
  await service?.stop()
  await toReplica?.close()
  await toPrimary?.close()
  for (const server of servers.toReversed()) await server.stop()
})

const users = new ListedUsers(
  () => service,
  () => token,
)
const add = () => users.add()
const listed = () => users.listed()
const exported = () => users.exported()
const lag = () => service.database.replicaLagSeconds() ?? 0
const leadReplicaTo = (server: PostgresServer | undefined) => {
  toReplica.leadTo(portOf(server))
  toReplica.cut()
}

test('a standby that stays with the primary of before is not asked, however far it is', async () => {
  await expect.poll(lag, { timeout: 5000 }).toBeLessThan(1)
  await add()
  await ask(second, 'select pg_promote()')
  toPrimary.leadTo(portOf(second))
  toPrimary.cut()
  await expect.poll(add, { timeout: 10_000 }).toBe(201)
  // Far beyond what the new one will write in this test.
  await ask(
    first,
    'create table never_was as select generate_series(1, 300000) as n',
    `update users set email = 'never@example.com' where id = (select min(id) from users)`,
    'checkpoint',
  )
  const place = (server: PostgresServer | undefined, what: string) =>
    ask(server, `select (${what} - '0/0')::float8 as place`).then(([row]) => row?.place ?? 0)
  await expect
    .poll(() => place(staying, 'pg_last_wal_replay_lsn()'))
    .toBeGreaterThan((await place(second, 'pg_current_wal_lsn()')) + 5_000_000)
  await expect.poll(lag, { timeout: 5000 }).toBe(Infinity)
  expect(await exported()).toBe(await listed())
  expect((await users.call('GET', '/users', 'text/csv')).text).not.toContain('never@example.com')
})

test('nor is the primary of before itself', async () => {
  leadReplicaTo(first)
  await add()
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect([lag(), await exported()]).toEqual([Infinity, await listed()])
})

test('one that follows the new primary is asked', async () => {
  leadReplicaTo(moving)
  await add()
  await expect.poll(lag, { timeout: 10_000 }).toBeLessThan(1)
  await expect.poll(exported, { timeout: 5000 }).toBe(await listed())
})

test('a role that is not told whom it receives from waits until that is written down', async () => {
  await service.stop()
  service = await served(roles.untold)
  leadReplicaTo(staying)
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect([lag(), await exported()]).toEqual([Infinity, await listed()])
  leadReplicaTo(moving)
  await ask(second, 'checkpoint')
  await expect
    .poll(async () => ask(moving, 'checkpoint').then(lag), { timeout: 10_000, interval: 500 })
    .toBeLessThan(1)
})
