import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { createServer, request as httpRequest, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { selfSignedCertificate } from '@sallyport/domain/vpn/certificate'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startRedis } from '../../../test/support/databases/redis.ts'
import { describeWith } from '../../../test/support/engines/engines.ts'
import { MailServer } from '../../../test/support/people/mail-server.ts'
import { redis } from '../../../test/support/pieces.ts'
import { freePort } from '../../../test/support/ports.ts'
import { CryptoPayStandIn } from '../../../test/support/providers/crypto-pay.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { openDoctor } from '../compose/doctor/doctor.ts'
import { readConfig } from '../config.ts'
import { probeHeader, signProbe } from '../core/seeing/probe.ts'
import { writeBackupStatus } from '../local/backup-status.ts'
import { everyCheck } from './checks.ts'
import { listLongTransactions } from './database/queries.ts'
import { examine, type Found } from './examine.ts'
import type { Subject } from './subject.ts'

/** Each check is tried by making true what it looks for, with the parts that it is about. */

const cryptoPay = new CryptoPayStandIn()
let service: TestService
const closing: (() => unknown)[] = []
beforeAll(async () => {
  await cryptoPay.start()
  service = await startTestService({
    withoutLimits: true,
    env: { ...cryptoPay.env, TRUSTED_PROXIES: '127.0.0.1' },
  })
  await service.heartbeat()
  await service.running.runJobs()
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
afterAll(async () => {
  await service.stop()
  await cryptoPay.stop()
})

const names = {
  addresses: async (name: string) => {
    if (name === 'vpn.example.test') return ['127.0.0.1']
    throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
  },
  texts: async (name: string) => (name === 'example.test' ? ['v=spf1 -all'] : []),
}

/** With the settings of the service, but for these. */
const look = async (
  only: string,
  env: Record<string, string> = {},
  given: Partial<Subject> = {},
): Promise<Found[]> => {
  const config = readConfig({ ...service.env, PORT: new URL(service.running.url).port, ...env })
  const nowMs = () => service.clock.now() * 1000
  const doctor = openDoctor(config, {
    nowMs,
    names,
    longWaitSeconds: 1,
    pause: async () => undefined,
    ...given,
  })
  try {
    const checks = everyCheck.filter(({ name }) => only === '' || only.split(',').includes(name))
    return await examine(checks, doctor.subject)
  } finally {
    await doctor.close()
  }
}
const states = (found: readonly Found[]) => found.map(({ state }) => state).join(' ')
const texts = (found: readonly Found[]) => found.map(({ text }) => text).join('; ')
const listen = async (server: Server, protocol = 'http'): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `${protocol}://vpn.example.test:${(server.address() as AddressInfo).port}`
}

test('whatever is found wrong says what to do, and every check has its own name', async () => {
  const found = await look('')
  expect(new Set(found.map(({ check }) => check)).size).toBe(everyCheck.length)
  expect(texts(found)).not.toContain('could not be checked')
  for (const one of found) if ('advice' in one) expect(one.advice).not.toBe('')
})

describe('the database', () => {
  test('nothing can be written', async () => {
    const doctor = openDoctor(readConfig(service.env))
    closing.push(() => doctor.close())
    await expect(doctor.subject.read((tx) => tx.deleteFrom('alerts').execute())).rejects.toThrow('read-only')
  })

  test('answers, and loses data as the tests let it', async () => {
    expect(states(await look('database'))).toBe('ok')
    const found = await look('database-settings')
    expect(states(found)).toBe('problem problem problem')
    expect(texts(found)).toContain('fsync is off')
    expect(states(await look('database-pools,database-upkeep,replicas'))).toBe('ok ok skipped')
  })

  test('that is away is one problem; what needs it is skipped, what does not is looked at', async () => {
    const DATABASE_URL = `postgres://sallyport:hunter2@127.0.0.1:${await freePort()}/x`
    const found = await look('database,migrations,jobs,ledger,memory', { DATABASE_URL })
    expect(found.map(({ check, state }) => `${check} ${state}`)).toEqual([
      ...['memory ok', 'database problem', 'migrations skipped', 'jobs skipped', 'ledger skipped'],
    ])
    expect(texts(found)).toContain('does not answer (ECONNREFUSED)')
    expect(JSON.stringify(found)).not.toContain('hunter2')
  })

  test('a wrong key, a right key', async () => {
    expect(states(await look('secret-key'))).toBe('ok')
    const found = await look('secret-key', { SECRET_KEY: Buffer.alloc(32, 9).toString('base64') })
    expect(states(found)).toBe('problem')
  })

  test('migrations that are missing, and those of a newer release', async () => {
    expect(states(await look('migrations'))).toBe('ok')
    const { db } = service
    await sql`insert into migrations values ('9999_later.sql', 'x')`.execute(db)
    expect(texts(await look('migrations'))).toContain('newer than this release: 9999_later.sql')
    await sql`delete from migrations where name = '9999_later.sql'`.execute(db)
    const kept = await sql<{ name: string; checksum: string }>`
      delete from migrations where name like '0043%' returning name, checksum`.execute(db)
    const found = await look('migrations')
    for (const { name, checksum } of kept.rows) {
      await sql`insert into migrations values (${name}, ${checksum})`.execute(db)
    }
    expect(texts(found)).toContain('1 migration of this release is not applied: 0043')
  })

  test('a broken index, a table without vacuum, an open transaction', async () => {
    const { db } = service
    await sql`update pg_index set indisvalid = false where indexrelid = 'mails_due'::regclass`.execute(db)
    await sql`alter table mails set (autovacuum_enabled = false)`.execute(db)
    const found = await look('database-upkeep')
    await sql`update pg_index set indisvalid = true where indexrelid = 'mails_due'::regclass`.execute(db)
    await sql`alter table mails reset (autovacuum_enabled)`.execute(db)
    expect(states(found)).toBe('warning warning')
    expect(texts(found)).toMatch(/mails_due.*mails/)
    const doctor = openDoctor(readConfig(service.env))
    closing.push(() => doctor.close())
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      const long = await doctor.subject.read((other) => listLongTransactions(other, 0))
      expect(long.map(({ pid }) => pid)).toContain(rows[0]?.pid)
    })
  })
})

test('the clock against the database', async () => {
  const nowMs = () => Date.now() + 3_600_000
  expect(texts(await look('clock', {}, { nowMs }))).toContain('60 min ahead of the clock of the database')
  const right = await look('clock', {}, { nowMs: Date.now })
  expect(texts(right)).not.toContain('ahead')
})

test('backups as the last one left word', async () => {
  expect(texts(await look('backups'))).toContain('no backup was ever made')
  const finished_at = service.clock.now() - 60
  writeBackupStatus(service.env.DATA_DIR as string, {
    finished_at,
    kind: 'full',
    ok: true,
    bytes: 7,
    repository: '/mnt/backups',
  })
  expect(states(await look('backups'))).toBe('ok')
})

describe('the business', () => {
  test('a service that is well', async () => {
    const all = 'jobs,due-work,payments,letters,events,rates,ledger,alerts,service'
    expect(new Set((await look(all)).map(({ state }) => state))).toEqual(new Set(['ok']))
  })

  test('money that does not add up', async () => {
    const user = await service.createUser({ balance: 100 })
    const change = (by: number) =>
      sql`update ledger_accounts set balance = balance + ${by}::int where user_id = ${user.id} and kind = 'wallet'`
    await change(7).execute(service.db)
    const found = await look('ledger')
    await change(-7).execute(service.db)
    expect(texts(found)).toBe('is out of balance by 7')
  })

  test('a paid order that is not granted', async () => {
    const user = await service.createUser({ balance: 1000 })
    await service.buy(user)
    const at = service.clock.now() - 4000
    const set = (state: string) =>
      service.db.updateTable('orders').set({ state, paid_at: at }).where('user_id', '=', user.id).execute()
    await set('paid')
    const found = await look('payments')
    await set('fulfilled')
    expect(states(found)).toBe('problem')
    expect(texts(found)).toContain('order:')
  })

  test('agents that are away, and that cannot apply', async () => {
    const { db } = service
    await db.updateTable('nodes').set({ public_key: 'x' }).execute()
    await service.heartbeat()
    await db.updateTable('node_status').set({ apply_error: 'port 443 is taken' }).execute()
    expect(texts(await look('agents'))).toContain('could not apply what it was told: port 443 is taken')
    await db
      .updateTable('node_status')
      .set({ apply_error: null, last_seen_at: service.clock.now() - 600 })
      .execute()
    expect(texts(await look('agents'))).toContain('is away for 10 min')
    await service.heartbeat()
  })

  test('jobs that nobody runs', async () => {
    service.clock.advance(1000)
    expect(texts(await look('jobs'))).toContain('no instance has told of its jobs')
    await service.running.runJobs()
    expect(states(await look('jobs'))).toBe('ok')
  })
})

describe('providers', () => {
  test('good and refused credentials, and doors that are open or shut', async () => {
    const PUBLIC_URL = service.running.url
    const found = await look('providers,webhooks', { PUBLIC_URL })
    expect(states(found)).toBe('warning ok')
    const refused = await look('providers', { CRYPTO_PAY_TOKEN: '1:wrong-token' })
    expect(states(refused)).toBe('problem')
    expect(JSON.stringify(refused)).not.toContain('wrong-token')
    const stripe = {
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      STRIPE_URL: cryptoPay.url,
    }
    expect(texts(await look('webhooks', { PUBLIC_URL, ...stripe }))).toContain('does not know stripe')
  })

  test('the mail server and its password', async () => {
    const server = await new MailServer({ user: 'post', password: 'pass-word' }).start()
    closing.push(() => server.stop())
    const MAIL_FROM = 'no-reply@example.test'
    const found = await look('mail,mail-domain', { SMTP_URL: server.url, MAIL_FROM })
    expect(states(found)).toBe('ok warning')
    expect(texts(found)).toContain('DMARC')
    const SMTP_URL = server.url.replace('pass-word', 'other-word')
    const refused = await look('mail', { SMTP_URL, MAIL_FROM })
    expect(texts(refused)).toContain('refuses the login')
    expect(JSON.stringify(refused)).not.toContain('other-word')
  })
})

describe('the public address', () => {
  /** A proxy that does to requests what the test says. */
  const proxy = (
    change: (headers: Record<string, unknown>) => object,
    most = Infinity,
    patienceMs = 9000,
  ) => {
    const target = new URL(service.running.url)
    return createServer((incoming, response) => {
      if (Number(incoming.headers['content-length'] ?? 0) > most) return void response.writeHead(413).end()
      const headers = change({ ...incoming.headers }) as Record<string, string>
      const { method, url: path } = incoming
      const onward = httpRequest(
        { port: target.port, host: '127.0.0.1', method, path, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(response)
        },
      )
      const giveUp = setTimeout(() => response.writeHead(504).end(), patienceMs)
      response.once('close', () => {
        clearTimeout(giveUp)
        onward.destroy()
      })
      onward.on('error', () => undefined)
      incoming.pipe(onward)
    })
  }
  const appending = (headers: Record<string, unknown>) => ({
    ...headers,
    'x-forwarded-for': `${headers['x-forwarded-for']}, 198.51.100.5`,
  })

  test('a proxy that does everything right', async () => {
    const PUBLIC_URL = await listen(proxy(appending))
    const found = await look('proxies,long-polls,public-url', { PUBLIC_URL })
    expect(states(found)).toBe('ok ok ok')
    expect(texts(found)).toContain('ours is 198.51.100.5')
  })

  test('one that passes claims on, drops ids, and takes small bodies only', async () => {
    const PUBLIC_URL = await listen(proxy(({ 'x-request-id': _id, ...headers }) => headers, 65_536))
    const found = await look('proxies', { PUBLIC_URL })
    expect(states(found)).toBe('problem warning problem')
  })

  test('one that does not wait', async () => {
    const PUBLIC_URL = await listen(proxy(appending, Infinity, 300))
    expect(texts(await look('long-polls', { PUBLIC_URL }))).toContain('does not wait 1 s')
  })

  test('strangers learn nothing from the probe', async () => {
    const ask = (signature?: string) =>
      fetch(`${service.running.url}/probe`, { headers: signature ? { [probeHeader]: signature } : {} })
    const nowhere = await fetch(`${service.running.url}/no-such-place`)
    const { vault } = service.running.services
    const now = service.clock.now()
    const wrong = [undefined, 'x', signProbe(vault, now - 301), signProbe(vault, now).replace(/.$/, 'x')]
    const text = await nowhere.text()
    for (const signature of wrong) {
      const answer = await ask(signature)
      expect([answer.status, await answer.text()]).toEqual([nowhere.status, text])
    }
    expect((await ask(signProbe(vault, now))).status).toBe(200)
  })

  test('a certificate that has ended, and one that nobody vouches for', async () => {
    const now = Math.floor(Date.now() / 1000)
    const made = (startedDaysAgo: number, days: number) =>
      selfSignedCertificate({
        serverName: 'vpn.example.test',
        notBefore: now - startedDaysAgo * 86_400 - 60,
        days,
        keyPair: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
        serial: '0123456789abcdef',
      })
    const given = { nowMs: Date.now }
    for (const [ago, days, text] of [
      [10, 5, 'has ended'],
      [1, 90, 'nobody vouches for the certificate'],
      [1, 4, 'ends in 2 days'],
    ] as const) {
      const { certificate: cert, key } = made(ago, days)
      const PUBLIC_URL = await listen(createTlsServer({ cert, key }), 'https')
      const found = await look('certificate', { PUBLIC_URL }, given)
      expect(found[0]?.state).toBe('problem')
      expect(texts(found)).toContain(text)
    }
  })

  test('a name that leads nowhere, and a port where nobody listens', async () => {
    expect(texts(await look('dns', { PUBLIC_URL: 'https://gone.example.test' }))).toContain(
      'leads nowhere (ENOTFOUND)',
    )
    const PUBLIC_URL = `https://vpn.example.test:${await freePort()}`
    expect(texts(await look('dns', { PUBLIC_URL }))).toContain('127.0.0.1 (ECONNREFUSED)')
  })
})

describeWith(redis, 'Redis', () => {
  test('answers, forgets, and is gone', async () => {
    const server = await startRedis()
    if (!server) throw new Error('Redis was found but not started')
    const REDIS_URL = server.url
    expect(states(await look('redis', { REDIS_URL }))).toBe('ok')
    const { Redis } = await import('ioredis')
    const client = new Redis(server.url)
    await client.config('SET', 'maxmemory', '100mb')
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    client.disconnect()
    expect(texts(await look('redis', { REDIS_URL }))).toContain('allkeys-lru')
    await server.stop()
    expect(texts(await look('redis', { REDIS_URL }))).toContain('does not answer')
  })
})

describe('the command', () => {
  const run = (args: readonly string[], env: Record<string, string>) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const program = fileURLToPath(new URL('../cli.ts', import.meta.url))
      const options = { env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env } }
      execFile(process.execPath, [program, 'doctor', ...args], options, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      )
    })

  test('ends with 0, 1 or 2', async () => {
    const DATA_DIR = service.env.DATA_DIR as string
    const [fine, bad, wrong] = await Promise.all([
      run(['--only', 'memory,redis', '--json'], { DATA_DIR }),
      run(['--json'], { DATA_DIR, DATABASE_URL: 'postgres://u:hunter2@h/d' }),
      run(['--only', 'nonsense'], { DATA_DIR }),
    ])
    expect([fine.code, bad.code, wrong.code]).toEqual([0, 1, 2])
    expect(JSON.parse(fine.out).map(({ check }: Found) => check)).toEqual(['memory', 'redis'])
    expect(JSON.parse(bad.out)).toEqual([
      {
        check: 'settings',
        state: 'problem',
        text: expect.stringContaining('SECRET_KEY is missing'),
        advice: expect.any(String),
      },
    ])
    expect(wrong.err).toContain('“nonsense” is no check')
  })
})
