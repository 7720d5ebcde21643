import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebhookReceiver } from '../../../../test/support/providers/webhook-receiver.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { inTransaction } from '../../db/client.ts'
import { announce } from '../kernel/outbox.ts'
import { deliverWebhooks } from './delivery-job.ts'

/** Several instances share the work: nothing twice, nothing out of its order, and who dies leaves it to others. */

let service: TestService
let receiver: WebhookReceiver
beforeAll(async () => {
  service = await startTestService({ env: { WEBHOOKS_TO_LOOPBACK: 'on' } })
})
beforeEach(async () => {
  receiver = await new WebhookReceiver().start()
  const body = { url: receiver.url, events: ['order.paid'] }
  expect((await service.operator('POST', '/webhooks', body)).status).toBe(201)
})
afterEach(async () => {
  await service.db.deleteFrom('webhooks').execute()
  await service.db.deleteFrom('outbox').execute()
  await receiver.stop()
})
afterAll(() => service.stop())

const tellAll = async (subjects: number, each: number) => {
  const now = service.clock.now()
  for (let n = 0; n < each; n++) {
    await inTransaction(service.db, async (tx) => {
      for (let s = 0; s < subjects; s++) {
        await announce(tx, { type: 'order.paid', subject: `order:${s}`, data: { n }, now })
      }
    })
  }
}
const linesOf = (subjects: number): number[][] =>
  Array.from({ length: subjects }, (_, s) =>
    receiver.accepted.filter(({ event }) => event.subject === `order:${s}`).map(({ event }) => event.data.n),
  )

test('each event goes out once, each subject in its order, whoever sends', async () => {
  receiver.behave = () => ({ afterMs: Math.random() * 20 })
  await tellAll(12, 8)
  await Promise.all(Array.from({ length: 4 }, () => deliverWebhooks(service.running.services)))
  expect(linesOf(12)).toEqual(Array.from({ length: 12 }, () => [0, 1, 2, 3, 4, 5, 6, 7]))
})

test('one that dies while it sends leaves the events to others', async () => {
  await tellAll(3, 2)
  const dead = { ...service.running.services, postWebhook: () => new Promise<never>(() => undefined) }
  void deliverWebhooks(dead)
  const isLeased = async () =>
    (await service.db.selectFrom('webhook_deliveries').select('id').where('attempts', '=', 1).execute())
      .length
  await expect.poll(isLeased).toBe(3)
  await deliverWebhooks(service.running.services)
  expect(receiver.accepted).toEqual([])
  service.clock.advance(61)
  await deliverWebhooks(service.running.services)
  expect(linesOf(3)).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
  ])
})

test('one that is stopped while it sends gives the events back at once', async () => {
  receiver.behave = () => 'hang'
  await tellAll(1, 1)
  const stop = new AbortController()
  const sending = deliverWebhooks({ ...service.running.services, stopping: stop.signal })
  await expect.poll(() => receiver.tried.length).toBe(1)
  stop.abort()
  await sending
  receiver.behave = () => 200
  await deliverWebhooks(service.running.services)
  expect(linesOf(1)).toEqual([[0]])
  const [row] = await service.db.selectFrom('webhook_deliveries').select('attempts').execute()
  expect(row?.attempts).toBe(1)
})

test('an endpoint can be deleted while purchases tell of themselves', async () => {
  const now = service.clock.now()
  const work = Array.from({ length: 20 }, (_, n) =>
    inTransaction(service.db, (tx) =>
      announce(tx, { type: 'order.paid', subject: `order:${n}`, data: {}, now }),
    ),
  )
  await service.db.deleteFrom('webhooks').execute()
  await expect(Promise.all(work)).resolves.toHaveLength(20)
})
