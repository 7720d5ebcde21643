import type { Role } from '@sallyport/contract/operation'
import { eventTypes } from '@sallyport/contract/operator/webhooks/webhooks'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebhookReceiver } from '../../../../../test/support/providers/webhook-receiver.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
let receiver: WebhookReceiver
beforeAll(async () => {
  service = await startTestService({ env: { WEBHOOKS_TO_LOOPBACK: 'on' } })
  receiver = await new WebhookReceiver().start()
})
afterEach(() => service.db.deleteFrom('webhooks').execute())
afterAll(async () => {
  await receiver.stop()
  await service.stop()
})

const address = 'https://crm.example.com/sallyport'
const events = ['order.paid', 'order.refunded']
const make = async (fields: object = {}) => {
  const answer = await service.operator('POST', '/webhooks', { url: address, events, ...fields })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data
}
const listed = async (id: number) =>
  (await service.operator('GET', '/webhooks')).body.data.find((row: { id: number }) => row.id === id)
const remove = (id: number) => service.operator('DELETE', `/webhooks/${id}`)

const lastAudit = () =>
  service.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

test('one is made with a secret that is shown once, kept sealed, and in no log', async () => {
  const { secret, ...row } = await make()
  expect(row).toEqual({
    id: expect.any(Number),
    url: address,
    events,
    is_active: true,
    failing_since: null,
    version: 1,
    created_at: service.clock.now(),
  })
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await listed(row.id)).toEqual(row)
  const kept = await service.db.selectFrom('webhooks').selectAll().where('id', '=', row.id).execute()
  expect(JSON.stringify(kept)).not.toContain(secret)
  const entry = await lastAudit()
  expect(entry).toMatchObject({ action: 'createWebhook', subject: `webhook:${row.id}` })
  expect(JSON.stringify(entry)).not.toMatch(/whsec_|crm\.example/)
})

test('a lost answer is repeated by its key, secret and all', async () => {
  const call = () =>
    service.call('POST', '/operator/v1/webhooks', {
      token: service.operatorToken,
      body: { url: address, events },
      headers: { 'idempotency-key': 'once' },
    })
  const [first, again] = [await call(), await call()]
  expect(again.body).toEqual(first.body)
})

describe('addresses', () => {
  test.each([
    'http://crm.example.com/',
    'ftp://crm.example.com/',
    'crm.example.com',
    '',
    'https://localhost/',
    'https://localhost./',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.0.2/',
    'https://0/',
    'https://0.0.0.0/',
    'https://0177.0.0.1/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://100.64.0.1/',
    'https://192.168.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::a00:1]/',
    'https://metadata.google.internal/',
    'https://10.0.0.1.nip.io/',
    'https://crm/',
    'https://user:password@crm.example.com/',
    'https://crm.example.com/#fragment',
    'http://10.0.0.1/',
    'http://127.0.0.1.nip.io/',
    `https://crm.example.com/${'a'.repeat(2048)}`,
  ])('check 32: %s is refused', async (url) => {
    const answer = await service.operator('POST', '/webhooks', { url, events })
    expect([answer.status, answer.body.details?.[0].path]).toEqual([400, 'url'])
    const id = (await make()).id
    const changed = await service.operator('PATCH', `/webhooks/${id}`, { url })
    expect([changed.status, changed.body.details?.[0].path]).toEqual([400, 'url'])
  })

  test('this machine is no address where it is not the embedded default', async () => {
    const { services } = service.running
    Object.assign(services, { webhooksToLoopback: false })
    const answer = await service.operator('POST', '/webhooks', { url: receiver.url, events })
    Object.assign(services, { webhooksToLoopback: true })
    expect(answer.status).toBe(400)
    await make({ url: receiver.url })
  })
})

test.each([
  { events: [] },
  { events: ['order.lost'] },
  { events: ['order.paid', 'order.paid'] },
  { events: 'order.paid' },
  { is_active: null },
  { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwCm0tRZQ5yL8=' },
])('%j is refused', async (fields) => {
  expect((await service.operator('POST', '/webhooks', { url: address, events, ...fields })).status).toBe(400)
})

test('a change tells its version, and one that comes too late is shown the row', async () => {
  const { secret: _, ...row } = await make()
  const path = `/webhooks/${row.id}`
  const changed = await service.operator('PATCH', path, { events: [...eventTypes], version: 1 })
  const after = { ...row, events: [...eventTypes], version: 2 }
  expect([changed.status, changed.body.data]).toEqual([200, after])
  expect((await lastAudit()).details).toEqual({
    before: { events },
    after: { events: [...eventTypes] },
  })
  const late = await service.operator('PATCH', path, { is_active: false, version: 1 })
  expect([late.status, late.body.errorCode, late.body.data]).toEqual([409, 6, after])
  const off = await service.operator('PATCH', path, { is_active: false, url: 'https://other.example.com/' })
  expect(off.body.data).toMatchObject({ is_active: false, version: 3 })
  expect(JSON.stringify(await lastAudit())).not.toContain('example.com')
})

test('one that is gone is gone', async () => {
  const { id } = await make()
  expect((await remove(id)).body.data).toBe(true)
  for (const [method, path] of [
    ['DELETE', ''],
    ['PATCH', ''],
    ['POST', '/test'],
    ['GET', '/deliveries'],
  ] as const) {
    const answer = await service.operator(
      method,
      `/webhooks/${id}${path}`,
      method === 'PATCH' ? {} : undefined,
    )
    expect([answer.status, answer.body.errorCode], method + path).toEqual([404, 1])
  }
})

test('there are twenty and no more', async () => {
  for (let n = 0; n < 20; n++) await make()
  const answer = await service.operator('POST', '/webhooks', { url: address, events })
  expect([answer.status, answer.body.errorCode]).toEqual([409, 6])
})

test.each(['support', 'finance', 'technician'] satisfies Role[])('%s may do nothing here', async (role) => {
  const { id } = await make()
  const token = await createOperator(service.db, { name: role, role, now: service.clock.now() })
  const calls = [
    ['GET', ''],
    ['POST', ''],
    ['PATCH', `/${id}`],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/test`],
    ['GET', `/${id}/deliveries`],
  ] as const
  for (const [method, path] of calls) {
    const answer = await service.call(method, `/operator/v1/webhooks${path}`, { token })
    expect([answer.status, answer.body.errorCode], method + path).toEqual([403, 4])
  }
})

describe('a test', () => {
  const tryIt = async (id: number) => (await service.operator('POST', `/webhooks/${id}/test`)).body.data

  test('sends one signed event at once, also to one that is off, and is listed', async () => {
    const { id, secret } = await make({ url: receiver.url, is_active: false })
    expect(await tryIt(id)).toEqual({
      is_delivered: true,
      status: 200,
      error: null,
      took_ms: expect.any(Number),
    })
    const [received] = receiver.accepted.slice(-1)
    vi.useFakeTimers({ toFake: ['Date'], now: service.clock.now() * 1000 })
    const event = new Webhook(secret).verify(received?.body ?? '', received?.headers ?? {})
    vi.useRealTimers()
    expect(event).toEqual({
      type: 'webhook.test',
      timestamp: new Date(service.clock.now() * 1000).toISOString(),
      subject: `webhook:${id}`,
      data: { webhook_id: id },
    })
    const { body } = await service.operator('GET', `/webhooks/${id}/deliveries`)
    expect(body.data).toMatchObject([
      { event_id: received?.id, type: 'webhook.test', state: 'delivered', attempts: 1, last_status: 200 },
    ])
    expect(await lastAudit()).toMatchObject({ action: 'testWebhook', subject: `webhook:${id}` })
  })

  test('tells what went wrong', async () => {
    const { id } = await make({ url: receiver.url })
    receiver.behave = () => 500
    expect(await tryIt(id)).toMatchObject({ is_delivered: false, status: 500, error: 'answered 500' })
    receiver.behave = () => ({ redirect: 'http://169.254.169.254/' })
    expect(await tryIt(id)).toMatchObject({
      is_delivered: false,
      status: 307,
      error: expect.stringMatching(/redirects are not/),
    })
    receiver.behave = () => 'cut'
    expect(await tryIt(id)).toMatchObject({
      is_delivered: false,
      status: null,
      error: expect.stringMatching(/^no answer/),
    })
    receiver.behave = () => 200
    const { body } = await service.operator('GET', `/webhooks/${id}/deliveries?limit=2`)
    expect(
      body.data.map(({ state, next_try_at }: { state: string; next_try_at: null }) => [state, next_try_at]),
    ).toEqual([
      ['failed', null],
      ['failed', null],
    ])
    const older = await service.operator('GET', `/webhooks/${id}/deliveries?before=${body.data[1].id}`)
    expect(older.body.data).toMatchObject([{ last_error: 'answered 500' }])
  })
})
