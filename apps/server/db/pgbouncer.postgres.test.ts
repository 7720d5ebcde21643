import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Pooler, startPgbouncer } from '../../../test/support/databases/pgbouncer.ts'
import { describeWith } from '../../../test/support/engines/engines.ts'
import { pgbouncer } from '../../../test/support/pieces.ts'
import { openLimiter, startTestService, type TestService, usualOrder } from '../../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { type RunningService, startService } from '../main.ts'

describeWith(pgbouncer, 'behind PgBouncer, a connection for each transaction', () => {
  let pooler: Pooler
  let service: TestService
  let pooled: RunningService
  beforeAll(async () => {
    service = await startTestService({ withoutLimits: true })
    const direct = service.env.DATABASE_URL ?? ''
    const plain = new URL(direct)
    plain.search = ''
    pooler = await startPgbouncer(plain.href, 3)
    const env = { ...service.env, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: direct }
    pooled = await startService(readConfig(env), { clock: service.clock, limiter: openLimiter })
  })
  afterAll(async () => {
    await pooled?.stop()
    await pooler?.stop()
    await service.stop()
  })

  const call = async (method: string, path: string, token: string, body?: object) => {
    const response = await fetch(`${pooled.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as { data: { id: number }[] } }
  }

  test('many buy and read at once over three connections', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => service.createUser({ balance: 1000 })))
    const bought = await Promise.all(
      users.map(({ api_key }) => call('POST', '/v1/configs', api_key, usualOrder)),
    )
    expect(bought.map(({ status }) => status)).toEqual(users.map(() => 201))
    const reads = users.flatMap(({ api_key }) => Array.from({ length: 10 }, () => api_key))
    const lists = await Promise.all(reads.map((key) => call('GET', '/v1/configs', key)))
    expect(lists.every(({ status, body }) => status === 200 && body.data.length === 1)).toBe(true)
  })

  test('what others do is heard, because listening goes past it', async () => {
    const user = await service.createUser()
    expect((await call('GET', '/v1/profile', user.api_key)).status).toBe(200)
    const keys = await service.call('GET', '/v1/profile/api-keys', { token: user.session_token })
    await service.call('DELETE', `/v1/profile/api-keys/${keys.body.data[0].id}`, {
      token: user.session_token,
    })
    const status = async () => (await call('GET', '/v1/profile', user.api_key)).status
    await expect.poll(status, { timeout: 1000 }).toBe(401)
  })

  test('statements end in time, nothing is left prepared, and one connection is its own', async () => {
    const { rows } = await sql`show statement_timeout`.execute(pooled.services.db)
    expect(rows).toEqual([{ statement_timeout: '5s' }])
    const prepared = await sql`select from pg_prepared_statements`.execute(pooled.services.db)
    expect(prepared.rows).toEqual([])
    expect(await pooled.database.engine.capacity()).toMatchObject({ perInstance: 1 })
    await pooled.database.engine.check()
  })
})
