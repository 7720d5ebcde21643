import { describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { judgeNodes } from './business/agents.ts'
import type { NodeState } from './business/queries.ts'
import { judgeAlerts, judgeJobs, judgeOverdue } from './business/work.ts'
import { judgeConnections, judgeTransactions, judgeUpkeep, judgeVersion } from './database/database.ts'
import { judgeRedis } from './database/redis.ts'
import { judgeReplication } from './database/replicas.ts'
import { examine, secretsOf, withoutSecrets } from './examine.ts'
import { bytesText, type Finding, lasting, ok, problem, some, warning } from './finding.ts'
import { judgeArchiver, judgeBackup } from './machine/backups.ts'
import { judgeClock } from './machine/clock.ts'
import { judgeDisk } from './machine/disk.ts'
import { judgeMemory, judgeOpenFiles, readMemory, readOpenFilesLimit } from './machine/limits.ts'
import { judgeRelease } from './machine/release.ts'
import { domainOf, judgeMailDomain } from './outside/mail.ts'
import { judgeAccount } from './outside/providers.ts'
import { judgeCertificate } from './public/certificate.ts'
import { judgeName } from './public/dns.ts'
import { judgeHsts, judgePlain } from './public/https.ts'
import { judgeCaller } from './public/proxy.ts'
import { judgeActivity, judgeDoor } from './public/webhooks.ts'
import { exitCodeOf, reportJson, reportText } from './report.ts'
import { judgeMode } from './settings/secret-key.ts'
import { judgeSettings } from './settings/settings.ts'
import type { Subject } from './subject.ts'

/** What is made of facts: which are fine, which are not, and how badly. */

const statesOf = (findings: Finding | undefined | readonly (Finding | undefined)[]): string =>
  [findings]
    .flat()
    .filter((finding) => finding !== undefined)
    .map((finding) => (finding as Finding).state)
    .join(' ')
const textOf = (findings: readonly Finding[]): string => findings.map(({ text }) => text).join('; ')

const secretKey = Buffer.alloc(32, 7).toString('base64')
const production = {
  DATABASE_URL: 'postgres://sallyport:hunter2@db/sallyport',
  SECRET_KEY: secretKey,
  PUBLIC_URL: 'https://vpn.example.com',
  TRUSTED_PROXIES: '127.0.0.1',
  METRICS_TOKEN: 'a-token-of-enough-length',
  SMTP_URL: 'smtps://post:hunter3@mail.example.com',
  MAIL_FROM: 'no-reply@example.com',
  CRYPTO_PAY_TOKEN: '1:crypto-secret',
}

describe('settings', () => {
  test.each([
    [{}, 'ok', 'go together'],
    [{ DATABASE_URL: '' }, 'warning', 'embedded default'],
    [{ PUBLIC_URL: '' }, 'problem', 'PUBLIC_URL is not set'],
    [{ PUBLIC_URL: 'http://vpn.example.com' }, 'problem', 'without encryption'],
    [{ PUBLIC_URL: 'http://localhost:8080' }, 'problem', 'customers do not reach'],
    [{ TRUSTED_PROXIES: '' }, 'problem', 'TRUSTED_PROXIES is empty'],
    [{ TRUSTED_PROXIES: '0.0.0.0/0' }, 'problem', 'every caller may say'],
    [{ HOST: '0.0.0.0' }, 'warning', 'past the proxy'],
    [{ SANDBOX_PAYMENTS: 'on' }, 'problem', 'pays with nothing'],
    [{ CRYPTO_PAY_TOKEN: '' }, 'warning', 'No payment provider'],
    [{ CRYPTO_PAY_URL: 'https://testnet.example.com' }, 'warning', 'CRYPTO_PAY_URL'],
    [{ METRICS_TOKEN: '' }, 'warning', 'METRICS_TOKEN is not set'],
    [{ METRICS_TOKEN: 'short' }, 'warning', 'METRICS_TOKEN is short'],
    [{ SMTP_URL: '', MAIL_FROM: '' }, 'warning', 'SMTP_URL is not set'],
    [{ LOG_LEVEL: 'debug' }, 'warning', 'the log grows'],
    [{ LOG_LEVEL: 'silent' }, 'warning', 'leave no trace'],
    [{ WEBHOOKS_TO_LOOPBACK: 'on' }, 'warning', 'WEBHOOKS_TO_LOOPBACK'],
    [{ DATABASE_URL: 'postgres://u:p@db.example.com/d' }, 'warning', 'without encryption'],
    [{ DATABASE_URL: 'postgres://u:p@db.example.com/d?sslmode=verify-full' }, 'ok', 'go together'],
    [{ REDIS_URL: 'redis://cache.example.com' }, 'warning', 'REDIS_URL'],
    [{ REDIS_URL: 'redis://cache' }, 'ok', 'go together'],
  ])('%j: %s', (change, state, text) => {
    const findings = judgeSettings(readConfig({ ...production, ...change }))
    expect(statesOf(findings)).toBe(state)
    expect(textOf(findings)).toContain(text)
  })
})

test.each([
  [undefined, ''],
  [0o100600, ''],
  [0o100640, ''],
  [0o100660, 'warning'],
  [0o100644, 'problem'],
  [0o100602, 'problem'],
])('a key file of mode %o: %s', (mode, states) => {
  expect(statesOf(judgeMode('/etc/sallyport/secret.key', mode))).toBe(states)
})

test.each([
  [{ database: 0.1, publicUrl: 1, isKept: true }, 'ok'],
  [{ database: 3, publicUrl: undefined, isKept: undefined }, 'warning'],
  [{ database: -31, publicUrl: undefined, isKept: true }, 'problem'],
  [{ database: undefined, publicUrl: 3700, isKept: undefined }, 'problem'],
  [{ database: 0, publicUrl: 0, isKept: false }, 'warning'],
  [{ database: undefined, publicUrl: undefined, isKept: undefined }, 'skipped'],
])('clock %j: %s', (offsets, states) => {
  expect(statesOf(judgeClock(offsets))).toBe(states)
})

const gb = 1024 ** 3
test.each([
  [{ bytes: 100 * gb, freeBytes: 50 * gb, inodes: 1000, freeInodes: 900 }, 'ok'],
  [{ bytes: 100 * gb, freeBytes: 50 * gb, inodes: 0, freeInodes: 0 }, 'ok'],
  [{ bytes: 100 * gb, freeBytes: 8 * gb, inodes: 1000, freeInodes: 900 }, 'warning'],
  [{ bytes: 100 * gb, freeBytes: 2 * gb, inodes: 1000, freeInodes: 900 }, 'problem'],
  [{ bytes: gb, freeBytes: gb / 2, inodes: 1000, freeInodes: 900 }, 'problem'],
  [{ bytes: 100 * gb, freeBytes: 50 * gb, inodes: 1000, freeInodes: 10 }, 'problem'],
])('disk %j: %s', (disk, states) => {
  expect(statesOf(judgeDisk('DATA_DIR', '/var/lib/sallyport', disk))).toBe(states)
})

test('limits are read as the system writes them', () => {
  expect(
    readOpenFilesLimit('Max open files            1024                 524288               files'),
  ).toBe(1024)
  expect(
    readOpenFilesLimit('Max open files            unlimited            unlimited            files'),
  ).toBe(Infinity)
  expect(readOpenFilesLimit('')).toBeUndefined()
  expect(statesOf(judgeOpenFiles({ limit: 1024, maxConnections: 5000, isOfService: true }))).toBe('warning')
  expect(statesOf(judgeOpenFiles({ limit: 65_536, maxConnections: 5000, isOfService: true }))).toBe('ok')
  expect(readMemory('MemTotal:  100 kB\nMemFree: 1 kB\nMemAvailable:  3 kB\n')).toEqual({
    bytes: 102_400,
    availableBytes: 3072,
  })
  expect(readMemory('')).toBeUndefined()
  expect([3, 8, 50].map((share) => statesOf(judgeMemory({ bytes: 100, availableBytes: share })))).toEqual([
    'problem',
    'warning',
    'ok',
  ])
})

const made = { bytes: 7, repository: '/mnt/backups', succeeded_at: 900_000 }
test.each([
  [undefined, 'warning'],
  [{ ...made, finished_at: 1_000_000 - 3600, kind: 'full', ok: true }, 'ok'],
  [{ ...made, finished_at: 1_000_000 - 30 * 3600, kind: 'incr', ok: true }, 'warning'],
  [{ ...made, finished_at: 1_000_000 - 4 * 86_400, kind: 'incr', ok: true }, 'problem'],
  [{ ...made, finished_at: 1_000_000, kind: 'full', ok: false, problem: 'no room' }, 'problem'],
] as const)('backup %j: %s', (backup, state) => {
  expect(judgeBackup(backup, 1_000_000, true).state).toBe(state)
})

test.each([
  [{ isOn: false, archivedAgo: null, failedAgo: 5, failures: 1 }, ''],
  [{ isOn: true, archivedAgo: 5, failedAgo: null, failures: 0 }, ''],
  [{ isOn: true, archivedAgo: 5, failedAgo: 60, failures: 1 }, ''],
  [{ isOn: true, archivedAgo: 600, failedAgo: 60, failures: 9 }, 'problem'],
  [{ isOn: true, archivedAgo: null, failedAgo: 60, failures: 9 }, 'problem'],
])('archiver %j: %s', (archiver, states) => {
  expect(statesOf(judgeArchiver(archiver))).toBe(states)
})

test.each([
  [{ number: 150_004, name: '15.4', isReplica: false, mayCreate: true, millis: 1 }, 'ok'],
  [{ number: 150_004, name: '15.4', isReplica: true, mayCreate: true, millis: 1 }, 'problem'],
  [{ number: 130_000, name: '13.0', isReplica: false, mayCreate: true, millis: 1 }, 'problem'],
  [{ number: 150_004, name: '15.4', isReplica: false, mayCreate: false, millis: 1 }, 'problem'],
  [{ number: 150_004, name: '15.4', isReplica: false, mayCreate: true, millis: 80 }, 'warning'],
])('database %j: %s', (version, state) => {
  expect(judgeVersion(version).state).toBe(state)
})

test.each([
  [{ max: 97, used: 20, ours: 16, instances: 1 }, 'ok'],
  [{ max: 97, used: 70, ours: 64, instances: 2 }, 'warning'],
  [{ max: 97, used: 80, ours: 16, instances: 1 }, 'warning'],
  [{ max: 97, used: 95, ours: 16, instances: 1 }, 'problem'],
])('connections %j: %s', (connections, state) => {
  expect(judgeConnections(connections).state).toBe(state)
})

test('transactions and upkeep', () => {
  const long = (pid: number, seconds: number) => ({ pid, seconds, state: 'active', program: 'psql' })
  expect(statesOf(judgeTransactions([long(5, 400), long(6, 7200), long(0, 400)]))).toBe(
    'warning problem problem',
  )
  const whole = { age: 1e8, invalidIndexes: [], unvacuumedTables: [] }
  expect(statesOf(judgeUpkeep(whole))).toBe('ok')
  expect(statesOf(judgeUpkeep({ ...whole, age: 1e9 }))).toBe('warning')
  expect(statesOf(judgeUpkeep({ ...whole, age: 1.8e9 }))).toBe('problem')
})

describe('replicas', () => {
  const replica = { name: 'b', state: 'streaming', isSynchronous: false, lagSeconds: 0.1, lagBytes: 100 }
  const slot = { name: 's', isActive: true, status: 'reserved', heldBytes: 5 }
  test.each([
    [{ awaited: '', replicas: [], slots: [] }, 'skipped'],
    [{ awaited: '', replicas: [replica], slots: [slot] }, 'ok'],
    [{ awaited: '', replicas: [{ ...replica, lagSeconds: 60 }], slots: [] }, 'warning'],
    [{ awaited: '', replicas: [{ ...replica, lagBytes: 2 * gb }], slots: [] }, 'problem'],
    [{ awaited: '', replicas: [{ ...replica, state: 'catchup' }], slots: [] }, 'warning'],
    [{ awaited: 'b', replicas: [replica], slots: [] }, 'problem'],
    [{ awaited: 'b', replicas: [{ ...replica, isSynchronous: true }], slots: [] }, 'ok'],
    [{ awaited: '', replicas: [replica], slots: [{ ...slot, isActive: false }] }, 'warning'],
    [
      { awaited: '', replicas: [replica], slots: [{ ...slot, isActive: false, heldBytes: 2 * gb }] },
      'problem',
    ],
    [{ awaited: '', replicas: [replica], slots: [{ ...slot, status: 'lost' }] }, 'problem'],
  ])('%j: %s', (replication, states) => {
    expect(statesOf(judgeReplication(replication))).toBe(states)
  })
})

test.each([
  [{}, 'ok'],
  [{ role: 'slave' }, 'problem'],
  [{ version: '5.0.1' }, 'warning'],
  [{ maxBytes: 1000, policy: 'allkeys-lru' }, 'warning'],
  [{ maxBytes: 1000, usedBytes: 950 }, 'problem'],
  [{ millis: 180 }, 'warning'],
])('Redis %j: %s', (change, states) => {
  const facts = {
    version: '7.0.15',
    role: 'master',
    usedBytes: 10,
    maxBytes: 0,
    policy: 'noeviction',
    millis: 1,
  }
  expect(statesOf(judgeRedis({ ...facts, ...change }))).toBe(states)
})

describe('the way from outside', () => {
  const now = 1_000_000
  const good = { endsAt: now + 60 * 86_400, chainProblem: undefined, nameProblem: undefined, issuer: 'R3' }
  test.each([
    [{}, 'ok'],
    [{ endsAt: now + 20 * 86_400 }, 'warning'],
    [{ endsAt: now + 6 * 86_400 }, 'problem'],
    [{ endsAt: now - 1, chainProblem: 'CERT_HAS_EXPIRED' }, 'problem'],
    [{ nameProblem: 'no' }, 'problem'],
    [{ chainProblem: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'problem'],
  ])('certificate %j: %s', (change, states) => {
    expect(statesOf(judgeCertificate('vpn.example.com', { ...good, ...change }, now))).toBe(states)
  })

  test.each([
    ['ENOTFOUND', 'problem'],
    [[{ address: '198.51.100.1', failure: undefined }], ''],
    [[{ address: '198.51.100.1', failure: 'ECONNREFUSED' }], 'problem'],
    [
      [
        { address: '198.51.100.1', failure: undefined },
        { address: '2001:db8::1', failure: 'ECONNREFUSED' },
      ],
      'warning',
    ],
    [
      [
        { address: '198.51.100.1', failure: undefined },
        { address: '2001:db8::1', failure: 'ENETUNREACH' },
      ],
      '',
    ],
    [[{ address: '10.0.0.5', failure: undefined }], 'warning'],
  ])('a name that leads to %j: %s', (reached, states) => {
    expect(statesOf(judgeName('vpn.example.com', reached))).toBe(states)
  })

  const answer = (status: number, headers = {}, body = '') => ({ status, headers, body })
  test('plain http, HSTS and doors of providers', () => {
    expect(statesOf(judgePlain('a', answer(301, { location: 'https://a/' })))).toBe('')
    expect(statesOf(judgePlain('a', answer(200)))).toBe('problem')
    expect(statesOf(judgePlain('a', 'ECONNREFUSED'))).toBe('warning')
    expect([undefined, 'max-age=60', 'max-age=31536000'].map((one) => statesOf(judgeHsts(one)))).toEqual([
      'warning',
      'warning',
      '',
    ])
    const said = '{"error":"wrong signature"}'
    expect(statesOf(judgeDoor('stripe', answer(403, {}, said)))).toBe('')
    expect(statesOf(judgeDoor('stripe', answer(403, {}, '<h1>Forbidden</h1>')))).toBe('problem')
    expect(statesOf(judgeDoor('stripe', answer(404, {}, '{"error":"no such provider"}')))).toBe('problem')
    expect(statesOf(judgeDoor('stripe', 'ECONNREFUSED'))).toBe('problem')
    const paid = { provider: 'stripe', paid: 3, lastPaidAt: now - 60 }
    expect(statesOf(judgeActivity({ ...paid, lastEventAt: now - 60 }, now))).toBe('')
    expect(statesOf(judgeActivity({ ...paid, lastEventAt: null }, now))).toBe('warning')
    expect(statesOf(judgeActivity({ ...paid, paid: 2, lastEventAt: null }, now))).toBe('')
  })

  const seen = {
    address: '',
    peer: '127.0.0.1',
    forwarded_proto: 'https',
    request_id: 'x',
    host: 'a',
    body_bytes: 0,
  }
  const own = ['127.0.0.1', '198.51.100.9']
  test.each([
    ['no proxy at all', '198.51.100.9', null, [], ''],
    ['a proxy that says nothing', '10.0.0.2', null, ['10.0.0.0/8'], 'problem'],
    ['a proxy that nobody trusts', '127.0.0.1', '203.0.113.7, 198.51.100.9', [], 'problem'],
    ['a proxy that is trusted', '198.51.100.9', '203.0.113.7, 198.51.100.9', ['127.0.0.1'], ''],
    ['another proxy than the trusted', '127.0.0.1', '203.0.113.7, 198.51.100.9', ['10.0.0.1'], 'problem'],
    ['a proxy that passes claims on', '203.0.113.7', '203.0.113.7', ['127.0.0.1'], 'problem'],
    ['this machine as a trusted one', '203.0.113.7', '203.0.113.7, 127.0.0.1', ['127.0.0.1'], ''],
    ['callers taken for proxies', '203.0.113.7', '203.0.113.7, 192.0.2.5', ['0.0.0.0/0'], 'problem'],
  ])('%s', (_what, address, forwarded, trustedProxies, states) => {
    const journey = { pretended: '203.0.113.7', trustedProxies, ownAddresses: own }
    expect(statesOf(judgeCaller({ ...journey, seen: { ...seen, address, forwarded_for: forwarded } }))).toBe(
      states,
    )
  })
})

test.each([
  [{ spf: ['v=spf1 mx -all'], dmarc: ['v=DMARC1; p=none'] }, 'ok'],
  [{ spf: [], dmarc: [] }, 'warning warning'],
  [{ spf: ['v=spf1 +all'], dmarc: ['v=DMARC1'] }, 'warning'],
  [{ spf: ['v=spf1 a -all', 'v=spf1 mx -all'], dmarc: ['v=DMARC1'] }, 'warning'],
])('records %j: %s', (records, states) => {
  expect(statesOf(judgeMailDomain('example.com', records))).toBe(states)
})

test('the domain of a sender', () => {
  expect(domainOf('Sallyport <no-reply@Example.com>')).toBe('example.com')
  expect(domainOf('no-reply@example.com')).toBe('example.com')
})

test.each([
  [{}, true, 'ok'],
  [{ isTest: true }, true, 'warning'],
  [{ isTest: true }, false, 'ok'],
  [{ problem: 'the shop is disabled' }, true, 'problem'],
  [{ webhooks: [] }, true, 'problem'],
  [{ webhooks: [{ url: 'https://vpn.example.com/webhooks/stripe', problem: undefined }] }, true, 'ok'],
  [{ webhooks: [{ url: 'https://vpn.example.com/webhooks/stripe', problem: 'off' }] }, true, 'problem'],
])('an account %j: %s', (change, isProduction, states) => {
  const account = { account: 'x', isTest: false, problem: undefined, webhooks: undefined, ...change }
  const at = { publicUrl: 'https://vpn.example.com', isProduction }
  expect(statesOf(judgeAccount('stripe', account, at))).toBe(states)
})

describe('the business', () => {
  const now = 1_000_000
  const node: NodeState = {
    id: 1,
    name: 'nl-1',
    isEnrolled: true,
    created_at: 0,
    last_seen_at: now - 5,
    desired_revision: 7,
    applied_revision: 7,
    apply_error: null,
    agent_version: '0.1.0',
    engines: [{ name: 'xray', state: 'running', detail: null }],
    closed_inbounds: [],
  }
  test.each([
    ['as it should be', {}, 'ok'],
    ['away', { last_seen_at: now - 500 }, 'problem'],
    ['that nobody came for', { isEnrolled: false, last_seen_at: null }, 'warning'],
    ['behind', { desired_revision: 9 }, 'warning'],
    ['that cannot apply', { apply_error: 'no' }, 'problem'],
    ['of another release', { agent_version: '0.0.9' }, 'warning'],
    ['with a crashed engine', { engines: [{ name: 'xray', state: 'crashed', detail: 'x' }] }, 'problem'],
    ['without an engine', { engines: [{ name: 'mtg', state: 'missing', detail: null }] }, 'warning'],
    ['with a closed door', { closed_inbounds: ['vless-3'] }, 'problem'],
  ])('a node %s', (_what, change, states) => {
    const nodes = [{ ...node, ...change }]
    expect(statesOf(judgeNodes(nodes, { before: nodes, now, version: '0.1.0' }))).toBe(states)
  })

  test('a node that gets on is not stuck', () => {
    const after = [{ ...node, desired_revision: 9 }]
    const before = [{ ...node, applied_revision: 6, desired_revision: 9 }]
    expect(statesOf(judgeNodes(after, { before, now, version: '0.1.0' }))).toBe('ok')
  })

  test('jobs, due work, alerts', () => {
    const run = { name: 'sweep', finished_at: now - 10, noted_at: now - 10, problem: null }
    expect(statesOf(judgeJobs([], [], now))).toBe('warning')
    expect(statesOf(judgeJobs([run], [], now))).toBe('ok')
    expect(statesOf(judgeJobs([run], ['sweep'], now))).toBe('problem')
    expect(statesOf(judgeJobs([{ ...run, problem: 'TypeError' }], [], now))).toBe('warning')
    expect(statesOf(judgeJobs([{ ...run, noted_at: now - 400 }], [], now))).toBe('problem')
    expect(statesOf(judgeOverdue([{ table: 'mails', count: 3, oldest: now - 400 }], now))).toBe('warning')
    expect(statesOf(judgeOverdue([{ table: 'mails', count: 1000, oldest: now - 400 }], now))).toBe('problem')
    expect(judgeAlerts([{ kind: 'dispute', count: 2, subjects: [] }]).text).toBe('2 alerts open: dispute (2)')
  })
})

test('the release', () => {
  const good = { version: '0.1.0', nodeVersion: 'v24.1.0', cabinetProblem: undefined, engines: [] }
  expect(statesOf(judgeRelease(good))).toBe('ok')
  const bad = {
    nodeVersion: 'v20.1.0',
    cabinetProblem: 'ENOENT',
    engines: [{ title: 'Xray', reason: 'none' }],
  }
  expect(statesOf(judgeRelease({ ...good, ...bad }))).toBe('problem problem warning')
})

test('sizes, spans and lists as people say them', () => {
  expect([0, 900, 1536, 5 * gb].map(bytesText)).toEqual(['0 B', '900 B', '1.5 KB', '5.0 GB'])
  expect([1.25, 300, 10_000, 864_000].map(lasting)).toEqual(['1.3 s', '5 min', '3 h', '10 days'])
  expect(some(['a', 'b', 'c'], 2)).toBe('a, b and 1 more')
})

describe('the report', () => {
  const found = [
    { check: 'disk', ...ok('fine') },
    { check: 'clock', ...problem('late', 'Set it.') },
    { check: 'mail', ...warning('slow', 'Wait.') },
  ]
  test('one line a finding, what to do below, a summary', () => {
    expect(reportText(found, false)).toBe(
      [
        'ok       disk   fine',
        'problem  clock  late',
        '                → Set it.',
        'warning  mail   slow',
        '                → Wait.',
        '',
        '1 problem, 1 warning, 1 ok, 0 skipped.',
      ].join('\n'),
    )
    expect(reportText(found, true)).toContain('\u001b[31mproblem\u001b[0m')
  })
  test('as data, and as an exit code', () => {
    expect(JSON.parse(reportJson(found))[0]).toEqual({
      check: 'disk',
      state: 'ok',
      text: 'fine',
      advice: null,
    })
    expect(JSON.parse(reportJson(found))[1]).toMatchObject({ state: 'problem', advice: 'Set it.' })
    expect([exitCodeOf(found), exitCodeOf(found.slice(2))]).toEqual([1, 0])
  })
})

describe('examining', () => {
  const config = readConfig(production)
  const check = (name: string, run: () => Promise<Finding[]> | Finding[]) => ({ name, about: '', run })

  test('one that hangs or fails holds up no other', async () => {
    const found = await examine(
      [
        check('hangs', () => new Promise(() => undefined)),
        check('throws', () => {
          throw new Error('broken')
        }),
        check('works', () => [ok('fine')]),
      ],
      { config } as Subject,
      50,
    )
    expect(found.map(({ check: name, state }) => `${name} ${state}`)).toEqual([
      'hangs problem',
      'throws problem',
      'works ok',
    ])
  })

  test('no secret is told, whoever says it', async () => {
    const said = `${secretKey} hunter2 hunter3 1:crypto-secret a-token-of-enough-length redis://:pw@cache https://x/bot12:AbC/getMe`
    const [found] = await examine([check('talks', () => [problem(said, said)])], { config } as Subject)
    const text = JSON.stringify(found)
    for (const secret of [...secretsOf(config), ':pw@', 'bot12:AbC']) expect(text).not.toContain(secret)
    expect(withoutSecrets('postgres://u:p@db/d is away', [])).toBe('postgres://***@db/d is away')
  })
})
