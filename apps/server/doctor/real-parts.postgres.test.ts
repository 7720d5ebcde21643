import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askPostgres } from '../../../test/support/databases/ask.ts'
import { testSecretKey } from '../../../test/support/databases/demo-database.ts'
import { startPgbouncer } from '../../../test/support/databases/pgbouncer.ts'
import { followed, type PostgresServer, startPostgres } from '../../../test/support/databases/postgres.ts'
import { fillPostgres } from '../../../test/support/databases/production.ts'
import { quickFolder } from '../../../test/support/databases/quick-folder.ts'
import { describeWith } from '../../../test/support/engines/engines.ts'
import { namespaces, nginx, pgbouncer } from '../../../test/support/pieces.ts'
import { freePort } from '../../../test/support/ports.ts'
import { startTestService } from '../../../test/support/service.ts'
import { startTethered } from '../../../test/support/tethered.ts'
import { openDoctor } from '../compose/doctor/doctor.ts'
import { readConfig } from '../config.ts'
import { everyCheck } from './checks.ts'
import { listLongTransactions } from './database/queries.ts'
import { examine, type Found } from './examine.ts'

/** What a table of facts cannot show: PostgreSQLs, PgBouncer and file systems that are in the state that is looked for. */

let primary: PostgresServer
let standby: PostgresServer

beforeAll(async () => {
  const settings = {
    ...followed,
    max_connections: '40',
    max_prepared_transactions: '2',
    archive_mode: 'on',
    archive_command: '/bin/false',
    wal_keep_size: '512MB',
  }
  primary = (await startPostgres(quickFolder(), { settings })) as PostgresServer
  await fillPostgres(primary.url, testSecretKey)
  standby = (await startPostgres(quickFolder(), { settings, standbyOf: primary.url })) as PostgresServer
})
afterAll(async () => {
  await standby?.stop()
  await primary?.stop()
})

const envOf = (url: string) => ({
  DATABASE_URL: url,
  SECRET_KEY: testSecretKey,
  DATA_DIR: '/nonexistent',
  PUBLIC_URL: 'https://vpn.example.test',
})
const doctorOf = (url: string, env: Record<string, string> = {}) =>
  openDoctor(readConfig({ ...envOf(url), ...env }))

const look = async (only: string, url = primary.url, env: Record<string, string> = {}): Promise<Found[]> => {
  const doctor = doctorOf(url, env)
  try {
    return await examine(
      everyCheck.filter(({ name }) => only.split(',').includes(name)),
      doctor.subject,
    )
  } finally {
    await doctor.close()
  }
}
const states = (found: readonly Found[]) => found.map(({ state }) => state).join(' ')
const texts = (found: readonly Found[]) => found.map(({ text }) => text).join('; ')

describe('a standby', () => {
  test('that keeps up, is behind, and keeps up again', async () => {
    await expect.poll(async () => texts(await look('replicas'))).toMatch(/^1 replica, at most .* behind$/)
    await askPostgres(standby, 'select pg_wal_replay_pause()')
    await askPostgres(
      primary,
      'create table ballast as select repeat(md5(n::text), 30) from generate_series(1, 100000) n',
    )
    await expect
      .poll(async () => texts(await look('replicas')))
      .toMatch(/walreceiver is .* and \d+ MB behind \(streaming\)/)
    expect(states(await look('replicas'))).toBe('warning')
    await askPostgres(standby, 'select pg_wal_replay_resume()')
    await expect.poll(async () => states(await look('replicas'))).toBe('ok')
    await askPostgres(primary, 'drop table ballast')
  })

  test('that nobody uses its slot, and one that commits wait for and that is not there', async () => {
    await askPostgres(primary, "select pg_create_physical_replication_slot('gone', true)")
    expect(texts(await look('replicas'))).toContain('nobody uses slot gone')
    await askPostgres(
      primary,
      "select pg_drop_replication_slot('gone')",
      "alter system set synchronous_standby_names = 'gone'",
      'select pg_reload_conf()',
    )
    await expect.poll(async () => texts(await look('replicas'))).toContain('commits wait for gone')
    await askPostgres(primary, 'alter system reset synchronous_standby_names', 'select pg_reload_conf()')
    await expect.poll(async () => states(await look('replicas'))).toBe('ok')
  })

  test('instead of the primary', async () => {
    const found = await look('database,replicas', standby.url)
    expect(states(found)).toBe('problem skipped')
    expect(texts(found)).toContain('DATABASE_URL leads to a replica')
  })

  test('whose role may not look at others', async () => {
    await askPostgres(primary, "create role plain login password 'plain'")
    const url = Object.assign(new URL(primary.url), { username: 'plain', password: 'plain' }).href
    expect(texts(await look('replicas', url))).toContain('grant pg_monitor')
    expect(texts(await look('database', url))).toContain('may not make tables there')
  })
})

test('an empty database knows no key yet', async () => {
  await askPostgres(primary, 'create database empty')
  const url = primary.url.replace(/postgres$/, 'empty')
  expect(texts(await look('secret-key', url))).toContain('has not seen a key yet')
  expect(states(await look('database', url))).toBe('ok')
})

test('transactions that run out', async () => {
  const old = (millions: number) =>
    askPostgres(
      primary,
      `update pg_database set datfrozenxid =
        ((pg_current_xact_id()::text::bigint - ${millions}000000 + 4294967296) % 4294967296)::text::xid
      where datname = 'template0'`,
    )
  const [was] = (await askPostgres(
    primary,
    "select datfrozenxid::text as x from pg_database where datname = 'template0'",
  )) as { x: string }[]
  for (const [millions, state] of [
    [700, 'warning'],
    [1600, 'problem'],
  ] as const) {
    await old(millions)
    const found = await look('database-upkeep')
    expect([states(found), texts(found)]).toEqual([
      state,
      `the oldest transaction is ${millions} million transactions old; at 2,100 million the database stops`,
    ])
  }
  await askPostgres(primary, `update pg_database set datfrozenxid = '${was?.x}' where datname = 'template0'`)
  expect(states(await look('database-upkeep'))).toBe('ok')
})

test('a transaction that was prepared and left', async () => {
  await askPostgres(primary, 'begin', 'create table left_behind ()', "prepare transaction 'left'")
  const doctor = doctorOf(primary.url)
  const long = await doctor.subject.read((tx) => listLongTransactions(tx, 0)).finally(() => doctor.close())
  await askPostgres(primary, "rollback prepared 'left'")
  expect(long).toMatchObject([{ pid: 0, program: 'left' }])
})

test('an archive that takes nothing', async () => {
  await askPostgres(primary, 'select pg_switch_wal()')
  await expect
    .poll(async () => texts(await look('backups')), { timeout: 20_000, interval: 200 })
    .toMatch(/the archive of the database's log fails \(\d+ times; it never worked\)/)
})

test('connections that are nearly used up, and all used up', async () => {
  const clients: pg.Client[] = []
  const fill = async (wanted: number) => {
    while (clients.length < wanted) {
      const client = new pg.Client({ connectionString: primary.url })
      client.on('error', () => undefined)
      await client.connect()
      clients.push(client)
    }
  }
  expect(states(await look('database-pools'))).toBe('ok')
  await fill(31)
  expect(states(await look('database-pools'))).toBe('warning')
  await fill(35)
  expect(states(await look('database-pools'))).toBe('problem')
  for (const client of clients) await client.end()
})

describeWith(pgbouncer, 'PgBouncer', () => {
  test('in between is no hindrance, and hides nothing', async () => {
    const pooler = await startPgbouncer(primary.url, 3)
    const env = { DATABASE_DIRECT_URL: primary.url }
    const ofDatabase =
      'database,migrations,secret-key,database-pools,database-upkeep,ledger,jobs,due-work,replicas'
    const found = await look(ofDatabase, pooler.url, env)
    await pooler.stop()
    expect(texts(found)).not.toContain('could not be checked')
    expect(found.filter(({ state }) => state === 'problem')).toEqual([])
    expect(found.find(({ check }) => check === 'replicas')?.state).toBe('ok')
    expect(states(await look('database', pooler.url, env))).toBe('problem')
  })
})

describeWith(nginx, 'nginx', () => {
  /** Before the service, as operators set it up; with more lines for where it passes on. */
  const startNginx = async (target: string, lines: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-nginx-'))
    const port = await freePort()
    const file = join(folder, 'nginx.conf')
    writeFileSync(
      file,
      `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
      http {
        access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder};
        fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
        server { listen 127.0.0.1:${port}; location / { proxy_pass ${target}; proxy_set_header Host $http_host; ${lines} } }
      }`,
    )
    const command = [nginx.find() as string, '-c', file, '-e', join(folder, 'error.log')]
    const server = await startTethered(command, { folder, signal: 'TERM' })
    const url = `http://vpn.example.test:${port}`
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true)
    return { url, stop: server.stop }
  }
  const usual = 'client_max_body_size 2m; proxy_set_header X-Request-Id $request_id;'
  const told = `${usual} proxy_set_header X-Forwarded-For $remote_addr;`
  const names = { addresses: async () => ['127.0.0.1'], texts: async () => [] }

  test.each([
    ['that is trusted', '127.0.0.1', told, 'ok'],
    ['that is not trusted', '', told, 'problem'],
    ['that passes claims on', '127.0.0.1', usual, 'problem'],
    ['with its own limit for bodies', '127.0.0.1', told.replace('2m', '64k'), 'problem'],
    ['that drops request ids', '127.0.0.1', told.replace('$request_id', '""'), 'warning'],
  ])('%s', async (_what, TRUSTED_PROXIES, lines, state) => {
    const service = await startTestService({ withoutLimits: true, env: { TRUSTED_PROXIES } })
    const proxy = await startNginx(service.running.url, lines)
    const config = readConfig({ ...service.env, PUBLIC_URL: proxy.url })
    const nowMs = () => service.clock.now() * 1000
    const doctor = openDoctor(config, { names, nowMs, longWaitSeconds: 1, pause: async () => undefined })
    const found = await examine(
      everyCheck.filter(({ name }) => name === 'proxies'),
      doctor.subject,
    )
    await doctor.close()
    await proxy.stop()
    await service.stop()
    expect([states(found), texts(found)]).toEqual([state, expect.any(String)])
  })
})

/** By the command itself, in a view of file systems of its own that ends with it. */
describeWith(namespaces, 'the machine', () => {
  const program = fileURLToPath(new URL('../cli.ts', import.meta.url))
  const within = (before: string, only: string, env: Record<string, string> = {}) =>
    new Promise<Found[]>((resolve, reject) => {
      const line = `${before}\nexec "$0" "$1" doctor --json --only ${only}`
      const options = {
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...envOf(primary.url), ...env },
      }
      execFile(
        'unshare',
        ['-m', 'sh', '-ec', line, process.execPath, program],
        options,
        (_error, out, err) => {
          try {
            resolve(JSON.parse(out))
          } catch {
            reject(new Error(`${out}${err}`))
          }
        },
      )
    })

  test('a disk with few inodes, and one with little room', async () => {
    const full = `mount -t tmpfs -o size=40g,nr_inodes=100 few /mnt; for n in $(seq 1 98); do : >/mnt/$n; done`
    const few = await within(full, 'disk', { DATA_DIR: '/mnt' })
    expect(texts(few)).toContain('1 of 100 inodes are free for DATA_DIR (/mnt)')
    expect(few[0]?.state).toBe('problem')
    const small = await within('mount -t tmpfs -o size=64m small /mnt', 'disk', {
      DATA_DIR: '/mnt/not/there/yet',
    })
    expect(texts(small)).toContain('64 MB of 64 MB are free for DATA_DIR')
    expect(small[0]?.state).toBe('problem')
  })

  test('little memory, as the system tells', async () => {
    const folder = quickFolder()
    const file = join(folder, `meminfo-${process.pid}`)
    writeFileSync(
      file,
      'MemTotal:        2000000 kB\nMemFree:           10000 kB\nMemAvailable:      60000 kB\n',
    )
    const found = await within(`mount --bind ${file} /proc/meminfo`, 'memory')
    rmSync(file)
    expect(found[0]).toMatchObject({ state: 'problem', text: expect.stringContaining('are available') })
  })

  test('few files, and a service that is not there', async () => {
    const PORT = String(await freePort())
    const found = await within('ulimit -n 1000', 'open-files,service', { PORT, MAX_CONNECTIONS: '2500' })
    expect(found.map(({ check, state }) => `${check} ${state}`)).toEqual([
      'service skipped',
      'open-files warning',
    ])
    expect(texts(found)).toContain('may open 1000 files')
  })
})
