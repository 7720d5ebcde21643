import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outside, untilWaits } from '../../../test/support/databases/waiting.ts'
import { openLimiter, startTestService, type TestService, usualOrder } from '../../../test/support/service.ts'
import { readConfig } from '../config.ts'
import { inTransaction } from '../db/client.ts'
import { type RunningService, startService } from '../main.ts'

/** A repeat that comes while the first is still worked on, at an instance that waits as briefly as customers are let wait. */

let service: TestService
let hasty: RunningService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  const url = new URL(service.env.DATABASE_URL as string)
  url.searchParams.set('lock_timeout', '200')
  const config = readConfig({ ...service.env, DATABASE_URL: url.href })
  hasty = await startService(config, { clock: service.clock, limiter: openLimiter })
})
afterAll(async () => {
  await hasty.stop()
  await service.stop()
})

test('is told to ask again, apart from a conflict, and then gets the first answer', async () => {
  const user = await service.createUser({ balance: 1000 })
  const headers = { 'idempotency-key': 'twice' }
  const first = () => service.customer(user, 'POST', '/configs', usualOrder, headers)
  const repeat = async (body: object) => {
    const response = await fetch(`${hasty.url}/v1/configs`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        authorization: `Bearer ${user.api_key}`,
      },
      body: JSON.stringify(body),
    })
    const { errorCode, details, data } = (await response.json()) as Record<string, unknown>
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, errorCode, details, data }
  }
  let bought: ReturnType<typeof first> | undefined
  await inTransaction(service.db, async (tx) => {
    await sql`select from users where id = ${user.id} for update`.execute(tx)
    bought = outside(first)
    await untilWaits(tx, bought)
    expect(await outside(() => repeat(usualOrder))).toMatchObject({
      status: 503,
      retryAfter: '1',
      errorCode: 53,
      details: [{ path: 'Idempotency-Key', problem: expect.stringContaining('repeat it with the same key') }],
    })
  })
  const answer = await bought
  expect(answer?.status).toBe(201)
  expect(await repeat(usualOrder)).toMatchObject({ status: 201, data: answer?.body.data })
  expect(await repeat({ ...usualOrder, tariff_id: 2 })).toMatchObject({
    status: 409,
    errorCode: 6,
    details: [{ path: 'Idempotency-Key' }],
  })
  expect((await service.customer(user, 'GET', '/configs')).body.data).toHaveLength(1)
})
