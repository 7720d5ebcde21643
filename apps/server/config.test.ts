import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from './config.ts'
import { defaultsFor } from './config-machine.ts'

const secret = Buffer.alloc(32, 1).toString('base64')

test('the usual values', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: undefined,
    localAgent: true,
    logLevel: 'info',
  })
  expect(config.dataDir).toMatch(/\/data$/)
})

test('production: no local agent, and a secret key is needed', () => {
  const env = {
    DATABASE_URL: 'postgres://u:p@h/d',
    SECRET_KEY: secret,
    PUBLIC_URL: 'https://vpn.example.com/',
  }
  expect(readConfig(env)).toMatchObject({ localAgent: false, publicUrl: 'https://vpn.example.com' })
  expect(() => readConfig({ DATABASE_URL: 'postgres://u:p@h/d' })).toThrow('SECRET_KEY')
  expect(() => readConfig({ ...env, LOCAL_AGENT: 'on' })).toThrow('LOCAL_AGENT')
})

test('the secret key may be in a file, and the database behind a socket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret.key')
  const env = {
    DATABASE_URL: 'postgres:///sallyport?host=/run/postgresql&user=sallyport',
    SECRET_KEY_FILE: file,
  }
  expect(() => readConfig(env)).toThrow('SECRET_KEY_FILE')
  for (const text of ['', 'short']) {
    writeFileSync(file, text)
    expect(() => readConfig(env)).toThrow('SECRET_KEY_FILE is not usable')
  }
  writeFileSync(file, `${secret}\n`)
  expect(readConfig(env)).toMatchObject({
    databaseUrl: env.DATABASE_URL,
    secretKey: Buffer.from(secret, 'base64'),
  })
  const other = Buffer.alloc(32, 2)
  expect(readConfig({ ...env, SECRET_KEY: other.toString('base64') }).secretKey).toEqual(other)
})

test.each([
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['HOST', 'http://here/'],
  ['DATABASE_URL', 'mysql://u:hunter2@h/d'],
  ['REDIS_URL', 'localhost:6379'],
  ['REDIS_URL', 'redis+sentinel://a:26379,b:26379'],
  ['REDIS_URL', 'redis+sentinel://a:26379,,b/main'],
  ['PUBLIC_URL', 'vpn.example.com'],
  ['SECRET_KEY', 'short'],
  ['TRUSTED_PROXIES', '10.0.0.0/99'],
  ['TRUSTED_PROXIES', 'proxy.example.com'],
  ['LOG_LEVEL', 'loud'],
  ['LOCAL_AGENT', 'maybe'],
  ['MAX_CONNECTIONS', 'many'],
  ['MAX_CONNECTIONS_PER_ADDRESS', '0'],
  ['MAX_WAITING_REQUESTS', '-1'],
  ['DRAIN_SECONDS', '1.5'],
  ['RATE_LIMIT_SCALE', '0'],
  ['DATABASE_POOL', '1'],
  ['DATABASE_READ_LANES', '0'],
  ['DATABASE_PREPARED', 'maybe'],
  ['DATABASE_DIRECT_URL', 'mysql://u:p@h/d'],
  ['DATABASE_DIRECT_URL', 'postgres://u:p@h/d'],
  ['DATABASE_REPLICA_URL', 'postgres://u:p@h/d'],
  ['DATABASE_REPLICA_LAG', '0'],
])('a bad %s stops the start with a sentence that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(name)
})

test('how much is taken on, and how long leaving takes', () => {
  const production = { DATABASE_URL: 'postgres://u:p@h/d', SECRET_KEY: secret }
  expect(readConfig({}, { cores: 2, memoryBytes: 2 * 1024 ** 3 }).load).toEqual({
    maxConnections: 5000,
    maxConnectionsPerAddress: 256,
    maxWaitingRequests: 500,
    drainSeconds: 0,
    rateLimitScale: 1,
  })
  expect(readConfig(production).load.drainSeconds).toBe(5)
  expect(readConfig({ ...production, DRAIN_SECONDS: '0' }).load.drainSeconds).toBe(0)
  expect(readConfig({ RATE_LIMIT_SCALE: '1000' }).load.rateLimitScale).toBe(1000)
  expect(readConfig({ ...production, RATE_LIMIT_SCALE: '1' }).load.rateLimitScale).toBe(1)
  expect(() => readConfig({ ...production, RATE_LIMIT_SCALE: '2' })).toThrow(/RATE_LIMIT_SCALE.*DATABASE_URL/)
})

const gibibyte = 1024 ** 3

test.each([
  [1, 0.5, { pool: 5, readLanes: 2, maxConnections: 1250, maxWaitingRequests: 250 }],
  [1, 0.25, { pool: 5, readLanes: 2, maxConnections: 1000, maxWaitingRequests: 250 }],
  [1, 1, { pool: 5, readLanes: 2, maxConnections: 2500, maxWaitingRequests: 500 }],
  [2, 2, { pool: 10, readLanes: 4, maxConnections: 5000, maxWaitingRequests: 500 }],
  [2, 4, { pool: 10, readLanes: 4, maxConnections: 10_000, maxWaitingRequests: 500 }],
  [4, 8, { pool: 20, readLanes: 6, maxConnections: 20_000, maxWaitingRequests: 500 }],
  [64, 256, { pool: 20, readLanes: 6, maxConnections: 20_000, maxWaitingRequests: 500 }],
])('on %i cores with %d GiB the usual values are %j', (cores, gibibytes, usual) => {
  const machine = { cores, memoryBytes: gibibytes * gibibyte }
  expect(defaultsFor(machine)).toEqual(usual)
  const { database, load } = readConfig({}, machine)
  expect({ ...database, ...load }).toMatchObject(usual)
})

test('Redis may be found by its sentinels', () => {
  const url = 'redis+sentinel://:p@a:26379,b:26379,c/main'
  expect(readConfig({ REDIS_URL: url }).redisUrl).toBe(url)
})

test('what is said of the database wins', () => {
  const env = { DATABASE_URL: 'postgres://u:p@h/d', SECRET_KEY: secret }
  const given = readConfig({ ...env, DATABASE_POOL: '40', DATABASE_READ_LANES: '8' }).database
  expect(given).toMatchObject({ pool: 40, readLanes: 8, isPrepared: true, directUrl: undefined })
  const pooled = { ...env, DATABASE_DIRECT_URL: 'postgres://u:p@direct/d' }
  expect(readConfig(pooled).database.isPrepared).toBe(false)
  expect(readConfig({ ...pooled, DATABASE_PREPARED: 'on' }).database.isPrepared).toBe(true)
})

test('an address with a password is not repeated', () => {
  expect(() => readConfig({ DATABASE_URL: 'mysql://u:hunter2@h/d' })).not.toThrow('hunter2')
})
