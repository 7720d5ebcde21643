import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ReceivedEvent, WebhookReceiver } from '../../../../test/support/providers/webhook-receiver.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { webhookPoster } from '../../adapters/webhooks/post-webhook.ts'
import { JobRuns } from '../alerts/job-runs.ts'
import { lookForTrouble } from '../alerts/watch-jobs.ts'
import { announce } from '../kernel/outbox.ts'
import { deliverWebhooks, nextTry } from './delivery-job.ts'
import { mayDial } from './endpoint-address.ts'
import { forgetEvents, noteFailure, noteSuccess, takeHeads } from './lines.ts'

/** What waits reaches its endpoint whatever that does meanwhile: nothing is lost, and each subject keeps its order. */

let service: TestService
let receiver: WebhookReceiver
beforeAll(async () => {
  service = await startTestService({ env: { WEBHOOKS_TO_LOOPBACK: 'on' } })
  patience(200)
})
beforeEach(async () => {
  receiver = await new WebhookReceiver().start()
})
afterEach(async () => {
  await service.db.deleteFrom('webhooks').execute()
  await service.db.deleteFrom('outbox').execute()
  await receiver.stop()
})
afterAll(() => service.stop())

/** How long an answer is waited for. */
const patience = (timeoutMs: number) =>
  Object.assign(service.running.services, {
    postWebhook: webhookPoster({ mayDial: mayDial(true), timeoutMs }),
  })

const make = async (url = receiver.url): Promise<{ id: number; secret: string }> =>
  (await service.operator('POST', '/webhooks', { url, events: ['order.paid', 'order.refunded'] })).body.data
const send = () => deliverWebhooks(service.running.services)
const later = async (seconds: number) => {
  service.clock.advance(seconds)
  await send()
}
const tell = (subject: string, n: number) =>
  announce(service.db, { type: 'order.paid', subject, data: { n }, now: service.clock.now() })
const deliveries = async (id: number) =>
  (await service.operator('GET', `/webhooks/${id}/deliveries?limit=500`)).body.data
const numbers = (received: readonly ReceivedEvent[], subject: string): number[] =>
  received.filter(({ event }) => event.subject === subject).map(({ event }) => event.data.n)

const verified = (secret: string, { body, headers }: ReceivedEvent) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1000 })
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    vi.useRealTimers()
  }
}

test('what happens arrives, signed, with the same id in the list', async () => {
  const { id, secret } = await make()
  await tell('order:1', 1)
  await send()
  const [received] = receiver.accepted
  expect(verified(secret, received as ReceivedEvent)).toEqual({
    type: 'order.paid',
    timestamp: new Date(service.clock.now() * 1000).toISOString(),
    subject: 'order:1',
    data: { n: 1 },
  })
  expect(() =>
    verified('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwCm0tRZQ5yL8=', received as ReceivedEvent),
  ).toThrow()
  expect(await deliveries(id)).toMatchObject([
    {
      event_id: received?.id,
      state: 'delivered',
      attempts: 1,
      last_status: 200,
      delivered_at: service.clock.now(),
    },
  ])
})

test('an endpoint that fails in every way is told of everything in the end, and each subject in its order', async () => {
  const { id, secret } = await make()
  const subjects = Array.from({ length: 5 }, (_, n) => `order:${n}`)
  let tries = 0
  const faults = [
    500,
    'hang',
    { redirect: 'http://169.254.169.254/' },
    'cut',
    404,
    { afterMs: 50 },
    200,
  ] as const
  receiver.behave = () => faults[tries++ % faults.length] as (typeof faults)[number]
  for (let n = 0; n < 6; n++) {
    for (const subject of subjects) await tell(subject, n)
    if (n === 3) {
      await receiver.stop()
      await later(10)
      await receiver.start()
    }
    await later(10)
  }
  // One whose answer came too late is sent again.
  const arrived = () => new Set(receiver.accepted.map((event) => event.id)).size
  for (let round = 0; round < 60 && arrived() < 30; round++) await later(3600)
  const first = new Map<string, ReceivedEvent>()
  for (const event of receiver.accepted) if (!first.has(event.id)) first.set(event.id, event)
  for (const subject of subjects) expect(numbers([...first.values()], subject)).toEqual([0, 1, 2, 3, 4, 5])
  for (const event of receiver.tried) verified(secret, event)
  const rows = await deliveries(id)
  expect(rows).toHaveLength(30)
  expect(new Set(rows.map(({ state }: { state: string }) => state))).toEqual(new Set(['delivered']))
})

test('nobody behind one that fails is tried, and other subjects go on', async () => {
  await make()
  receiver.behave = ({ event }) => (event.subject === 'order:1' && event.data.n === 1 ? 500 : 200)
  for (const n of [1, 2, 3]) await tell('order:1', n)
  await tell('order:2', 1)
  await send()
  await later(60)
  expect(numbers(receiver.accepted, 'order:1')).toEqual([])
  expect(numbers(receiver.accepted, 'order:2')).toEqual([1])
  receiver.behave = () => 200
  await later(600)
  expect(numbers(receiver.accepted, 'order:1')).toEqual([1, 2, 3])
})

test('one that hangs holds up no other', async () => {
  const other = await new WebhookReceiver().start()
  await make()
  await make(other.url)
  patience(1500)
  receiver.behave = () => 'hang'
  for (let n = 0; n < 20; n++) await tell(`order:${n}`, 1)
  const all = send()
  await vi.waitFor(() => expect(receiver.tried.length).toBeGreaterThan(0), 3000)
  for (let n = 0; n < 20; n++) await tell(`order:${n}`, 2)
  await vi.waitFor(() => expect(other.accepted).toHaveLength(40), { timeout: 1200, interval: 20 })
  // Eight at once of this round, and eight of the one that the service makes by itself every two seconds.
  expect(receiver.tried.length).toBeLessThanOrEqual(16)
  expect(new Set(receiver.tried.map(({ event }) => event.subject)).size).toBe(receiver.tried.length)
  patience(200)
  await all
  for (let n = 0; n < 20; n++) expect(numbers(other.accepted, `order:${n}`)).toEqual([1, 2])
  await other.stop()
})

test('when it is back after an outage, whatever waits comes at once', async () => {
  const { id } = await make()
  receiver.behave = () => 503
  for (let n = 0; n < 4; n++) await tell(`order:${n}`, n)
  for (const seconds of [0, 10, 60, 300, 900, 2000, 4000]) await later(seconds)
  expect(receiver.accepted).toEqual([])
  const shown = async () => (await service.operator('GET', '/webhooks')).body.data[0].failing_since
  expect(await shown()).toBeLessThan(service.clock.now())
  receiver.behave = () => 200
  await tell('order:9', 9)
  await later(61)
  await send()
  expect(receiver.accepted).toHaveLength(5)
  expect(await shown()).toBeNull()
  expect(new Set((await deliveries(id)).map(({ state }: { state: string }) => state))).toEqual(
    new Set(['delivered']),
  )
})

describe('when very much waits', () => {
  const many = 2500
  const fill = async (webhookId: number) => {
    const now = service.clock.now()
    await sql`
      with events as (
        insert into outbox (type, subject, data, created_at)
        select 'order.paid', 'order:many-' || n, '{}', ${now - 3600}::bigint from generate_series(1, ${many}::bigint) n
        returning id, subject)
      insert into webhook_deliveries
        (webhook_id, outbox_id, subject, attempts, next_try_at, last_try_at, last_error, created_at)
      select ${webhookId}::bigint, id, subject, 9, ${now + 20_000}::bigint, ${now - 30}::bigint, 'answered 503', ${now - 3600}::bigint
      from events`.execute(service.db)
  }
  const waiting = async (webhookId: number) => {
    const { rows } = await sql<{ later: number; failures: number }>`
      select count(d.id) as later, w.failures from webhooks w left join webhook_deliveries d
        on d.webhook_id = w.id and d.next_try_at > ${service.clock.now()}::bigint
      where w.id = ${webhookId}::bigint group by w.failures`.execute(service.db)
    return rows[0]
  }

  test('each success wakes some of it, and the outage is over when nothing is left', async () => {
    const { id } = await make()
    // Nobody sends what is woken: each success would wake more.
    await service.db.updateTable('webhooks').set({ is_active: false }).where('id', '=', id).execute()
    await fill(id)
    for (let n = 0; n < 3; n++) await noteFailure(service.db, id, false, service.clock.now())
    const seen = []
    for (let n = 0; n < 3; n++) {
      await noteSuccess(service.db, id, service.clock.now())
      seen.push(await waiting(id))
    }
    expect(seen).toEqual([
      { later: 1500, failures: 3 },
      { later: 500, failures: 3 },
      { later: 0, failures: 0 },
    ])
  })

  test('an address that is changed begins with the first of it', async () => {
    const { id } = await make()
    await fill(id)
    const { body } = await service.operator('PATCH', `/webhooks/${id}`, { url: `${receiver.url}/elsewhere` })
    expect(body.data).toMatchObject({ failing_since: null, url: `${receiver.url}/elsewhere` })
    expect(await waiting(id)).toEqual({ later: 1500, failures: 3 })
    await noteSuccess(service.db, id, service.clock.now())
    await noteSuccess(service.db, id, service.clock.now())
    expect(await waiting(id)).toEqual({ later: 0, failures: 0 })
  })

  test('what is being tried keeps its lease', async () => {
    const { id } = await make()
    await tell('order:1', 1)
    receiver.behave = () => 503
    await send()
    service.clock.advance(5)
    const [taken] = await takeHeads(service.db, id, 8, service.clock.now())
    for (let n = 0; n < 3; n++) await noteFailure(service.db, id, false, service.clock.now())
    await noteSuccess(service.db, id, service.clock.now())
    expect((await deliveries(id))[0]).toMatchObject({ id: taken?.id, next_try_at: service.clock.now() + 60 })
  })
})

describe('after three days', () => {
  const alerts = async () => {
    await lookForTrouble({ ...service.running.services, jobRuns: new JobRuns() }, service.clock.now())
    return (await service.operator('GET', '/alerts?is_open=true')).body.data.filter(
      ({ kind }: { kind: string }) => kind === 'webhook_endpoint_failed',
    )
  }

  test('it is given up, a person is told, and the alert closes when the endpoint is mended', async () => {
    const { id } = await make()
    receiver.behave = () => 500
    await tell('order:1', 1)
    const began = service.clock.now()
    await send()
    while (service.clock.now() < began + 3 * 86_400) await later(6 * 3600)
    await later(1)
    expect((await deliveries(id))[0]).toMatchObject({ state: 'failed', last_status: 500, next_try_at: null })
    const tried = receiver.tried.length
    expect(tried).toBeGreaterThan(8)
    expect(await alerts()).toMatchObject([
      { subject: `webhook:${id}`, text_en: expect.stringContaining('Mend') },
    ])
    await later(86_400)
    expect(receiver.tried).toHaveLength(tried)
    receiver.behave = () => 200
    await service.operator('PATCH', `/webhooks/${id}`, { url: `${receiver.url}/mended` })
    await send()
    expect(await alerts()).toEqual([])
  })

  test.each([
    [1, 0, 5],
    [2, 5, 35],
    [9, 100_000, 121_600],
    [50, 100_000, 121_600],
    [50, 250_000, 3 * 86_400],
    [50, 3 * 86_400, null],
    [1, 9 * 86_400, null],
  ])('the try after number %d at second %d is at %s', (attempts, now, expected) => {
    expect(nextTry(attempts, 0, now)).toBe(expected)
  })
})

describe('one that is switched off', () => {
  const change = (id: number, body: object) => service.operator('PATCH', `/webhooks/${id}`, body)

  test('is sent nothing, and what waited when it is on again', async () => {
    const { id } = await make()
    receiver.behave = () => 500
    await tell('order:1', 1)
    await send()
    await change(id, { is_active: false })
    receiver.behave = () => 200
    await tell('order:1', 2)
    await later(3600)
    expect(receiver.accepted).toEqual([])
    await change(id, { is_active: true })
    await send()
    expect(numbers(receiver.accepted, 'order:1')).toEqual([1])
  })

  test('for more than three days is not sent what is old', async () => {
    const { id } = await make()
    receiver.behave = () => 500
    await tell('order:1', 1)
    await send()
    await change(id, { is_active: false })
    service.clock.advance(4 * 86_400)
    receiver.behave = () => 200
    await change(id, { is_active: true })
    await send()
    expect(receiver.accepted).toEqual([])
    expect((await deliveries(id))[0]).toMatchObject({ state: 'failed' })
  })
})

test('what was told long ago is forgotten, and what was meant for one that is gone', async () => {
  const { id } = await make()
  const gone = await make()
  await tell('order:1', 1)
  await send()
  await service.operator('DELETE', `/webhooks/${gone.id}`)
  await forgetEvents(service.db, service.clock.now())
  const count = async () =>
    (await service.db.selectFrom('webhook_deliveries').select('webhook_id').execute()).map(
      (row) => row.webhook_id,
    )
  expect(await count()).toEqual([id])
  await forgetEvents(service.db, service.clock.now() + 31 * 86_400)
  expect([await count(), await service.db.selectFrom('outbox').select('id').execute()]).toEqual([[], []])
})
