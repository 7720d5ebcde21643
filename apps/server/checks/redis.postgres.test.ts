import { errors } from '@sallyport/contract/errors'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RedisServer, startRedis } from '../../../test/support/databases/redis.ts'
import { describeWith } from '../../../test/support/engines/engines.ts'
import { accountOf } from '../../../test/support/people/account.ts'
import { redis } from '../../../test/support/pieces.ts'
import { freePort } from '../../../test/support/ports.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../test/support/service.ts'
import { RedisLimiter } from '../adapters/limits/redis-limiter.ts'
import { ScaledLimiter } from '../adapters/limits/scaled-limiter.ts'
import { readConfig } from '../config.ts'
import { createOperator } from '../core/operators/operators.ts'
import { type RunningService, startService } from '../main.ts'

/** Two instances on one PostgreSQL and one Redis, which is emptied, killed and started again. */
describeWith(redis, 'with Redis', () => {
  let service: TestService
  let server: RedisServer
  let instances: RunningService[]
  const states: boolean[] = []
  beforeAll(async () => {
    server = (await startRedis()) as RedisServer
    service = await startTestService({ withoutLimits: true })
    const start = async () => {
      const config = readConfig({ ...service.env, PORT: String(await freePort()) })
      // What is counted here are guesses, so the usual limits are out of the way.
      const limiter = new ScaledLimiter(new RedisLimiter(server.url, (isUp) => states.push(isUp)), 1000)
      return startService(config, { clock: service.clock, limiter })
    }
    instances = [await start(), await start()]
    await vi.waitFor(() => expect(states).toEqual([true, true]), 10_000)
  })
  afterAll(async () => {
    for (const instance of instances) await instance.stop()
    await service.stop()
    await server.stop()
  })

  const ask = async (
    at: number,
    method: string,
    path: string,
    token?: string,
    body?: object,
    key?: string,
  ) => {
    const response = await fetch(`${(instances[at % 2] as RunningService).url}${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as { errorCode?: number } }
  }

  const flush = async () => {
    const client = new Redis(server.url)
    const counted = await client.dbsize()
    await client.flushall()
    await client.quit()
    return counted
  }
  const kill = async () => {
    process.kill(server.pid, 'SIGKILL')
    await server.stop()
    await expect.poll(() => states.filter((isUp) => !isUp)).toHaveLength(2)
  }
  const bringBack = async () => {
    states.length = 0
    server = (await startRedis(server.port)) as RedisServer
    await expect.poll(() => states).toEqual([true, true])
  }

  test('check 12: Redis emptied, gone and back: no purchase is lost or doubled, and sessions hold', async () => {
    const faults = [flush, kill, bringBack, async () => undefined]
    const customers = await Promise.all(
      Array.from({ length: 12 * faults.length }, () => service.createUser({ balance: 200 })),
    )
    const buy = (user: TestUser, at: number) =>
      ask(at, 'POST', '/v1/configs', user.api_key, usualOrder, `one of ${user.id}`)
    for (const [at, fault] of faults.entries()) {
      const these = customers.slice(12 * at, 12 * at + 12)
      const [answers] = await Promise.all([
        Promise.all(these.map(async (user, n) => [await buy(user, n), await buy(user, n + 1)])),
        fault(),
      ])
      expect(answers.flat().map(({ status }) => status)).toEqual(Array(24).fill(201))
      for (const user of these)
        expect((await ask(at, 'GET', '/v1/profile', user.session_token)).status).toBe(200)
    }
    const { get, broken } = accountOf(service)
    for (const user of customers) {
      expect(await get(user, '/configs')).toHaveLength(1)
      expect((await get(user, '/profile')).balance).toBe(0)
    }
    expect(await broken()).toEqual([])
  })

  const guesses: [string, (user: TestUser, at: number) => ReturnType<typeof ask>, number][] = [
    [
      'promocodes',
      (user, at) =>
        ask(at, 'POST', '/v1/configs', user.api_key, {
          location_id: 1,
          protocol: 'vless',
          promocode: `AAAA-BBBB-CCCC-D${String(at).padStart(3, '0')}`,
        }),
      errors.PROMOCODE_INVALID.code,
    ],
    [
      'one-time passwords',
      (user, at) =>
        ask(at, 'POST', '/v1/auth/otp', undefined, {
          login: String(user.id),
          password: `0000-${String(at).padStart(4, '0')}`,
        }),
      errors.UNAUTHORIZED.code,
    ],
  ]

  test.each(
    guesses,
  )('check 12: guesses at %s stay ten an hour while Redis is emptied, gone and back', async (_what, guess, wrong) => {
    const user = await service.createUser()
    const allowed: (number | undefined)[] = []
    for (let at = 0; at < 10; at++) {
      if (at === 3) await flush()
      if (at === 6) await kill()
      if (at === 8) await bringBack()
      allowed.push((await guess(user, at)).body.errorCode)
    }
    expect(allowed).toEqual(Array(10).fill(wrong))
    for (const at of [10, 11]) expect((await guess(user, at)).status).toBe(429)
    expect(await flush(), 'limits are counted there').toBeGreaterThan(0)
    for (const at of [12, 13]) expect((await guess(user, at)).status).toBe(429)
  })

  /** On both instances within a second, measured from the answer. */
  const expectEnded = async (token: string, path: string) => {
    const began = performance.now()
    for (const at of [0, 1]) {
      while ((await ask(at, 'GET', path, token)).status !== 401)
        expect(performance.now() - began, 'milliseconds').toBeLessThan(1000)
    }
  }

  test.each([
    ['there', async () => undefined, async () => undefined],
    ['gone', kill, bringBack],
  ])('check 23: what is revoked at one instance is refused by all within a second, Redis %s', async (_how, before, after) => {
    await before()
    try {
      const user = await service.createUser()
      const operator = await createOperator(service.db, {
        name: crypto.randomUUID(),
        role: 'support',
        now: service.clock.now(),
      })
      const all: [string, string][] = [
        [user.api_key, '/v1/profile'],
        [user.session_token, '/v1/profile'],
        [operator, '/operator/v1/users'],
      ]
      for (const at of [0, 1])
        for (const [token, path] of all) expect((await ask(at, 'GET', path, token)).status).toBe(200)
      const keys = await service.call('GET', '/v1/profile/api-keys', { token: user.session_token })
      const ended = await ask(0, 'DELETE', `/v1/profile/api-keys/${keys.body.data[0].id}`, user.session_token)
      expect(ended.status).toBe(200)
      await expectEnded(user.api_key, '/v1/profile')
      expect((await ask(0, 'POST', '/v1/auth/logout', user.session_token)).status).toBe(200)
      await expectEnded(user.session_token, '/v1/profile')
      const me = await service.call('GET', '/operator/v1/me', { token: operator })
      expect(
        (await service.operator('PATCH', `/operators/${me.body.data.id}`, { is_active: false })).status,
      ).toBe(200)
      await expectEnded(operator, '/operator/v1/users')
    } finally {
      await after()
    }
  })
})
