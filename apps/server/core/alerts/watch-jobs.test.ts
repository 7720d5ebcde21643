import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { type AlertKind, alertWords } from '@sallyport/domain/text/alert-words'
import { selfSignedCertificate } from '@sallyport/domain/vpn/certificate'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, usualOrder } from '../../../../test/support/service.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import { createOperator } from '../operators/operators.ts'
import { JobRuns } from './job-runs.ts'
import { lookForTrouble, watchNodes } from './watch-jobs.ts'

/** Each opens when it begins, once, says what to do, and closes by itself. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterEach(() => service.db.deleteFrom('alerts').execute())
afterAll(() => service.stop())

interface Alert {
  readonly id: number
  readonly kind: string
  readonly subject: string
  readonly details: Record<string, unknown>
  readonly text_ru: string
  readonly text_en: string
}

let jobRuns = new JobRuns()
const look = async () => {
  const { db, clock } = service
  await watchNodes(db, clock.now())
  await lookForTrouble({ db, jobRuns }, clock.now())
}
const open = async (kind: AlertKind): Promise<Alert[]> => {
  await look()
  const { body } = await service.operator('GET', '/alerts?is_open=true')
  return body.data.filter((alert: Alert) => alert.kind === kind)
}
const subjects = async (kind: AlertKind) => (await open(kind)).map(({ subject }) => subject)
const later = (seconds: number) => service.clock.advance(seconds)

test('a service that is well has no alerts, also after a round of everything', async () => {
  await service.running.runJobs()
  expect((await service.operator('GET', '/alerts')).body.data).toEqual([])
})

test('a node that is gone, and back', async () => {
  const node = await enrolNode(service, 1)
  await node.report()
  expect(await subjects('node_gone')).toEqual([])
  later(91)
  const [alert] = await open('node_gone')
  expect(alert).toMatchObject({
    subject: `node:${node.nodeId}`,
    details: { node_id: node.nodeId, name: expect.any(String) },
    text_ru: alertWords.node_gone.ru,
    text_en: alertWords.node_gone.en,
  })
  expect(await subjects('node_gone')).toEqual([`node:${node.nodeId}`])
  await node.report()
  expect(await subjects('node_gone')).toEqual([])
  later(91)
  expect((await open('node_gone')).map(({ id }) => id)).toEqual([alert?.id])
  await service.operator('POST', `/alerts/${alert?.id}/resolve`, {})
  expect(await subjects('node_gone')).toEqual([])
  await node.report()
})

describe('payments that wait', () => {
  test('money that is here, and nothing given for it', async () => {
    const user = await service.createUser({ balance: 1000 })
    await service.buy(user)
    const { id } = await service.db
      .updateTable('orders')
      .set({ state: 'paid', paid_at: service.clock.now(), next_try_at: service.clock.now() + 9e6 })
      .where('user_id', '=', user.id)
      .returning('id')
      .executeTakeFirstOrThrow()
    later(899)
    expect(await subjects('payment_waits')).toEqual([])
    later(1)
    expect(await subjects('payment_waits')).toEqual([`order:${id}`])
    await service.db.updateTable('orders').set({ state: 'fulfilled' }).where('id', '=', id).execute()
    expect(await subjects('payment_waits')).toEqual([])
  })

  test('a provider that nobody can read, and events that are not taken in', async () => {
    const user = await service.createUser()
    await service.customer(user, 'POST', '/configs', { ...usualOrder, payment_method_id: 2 })
    const { id } = await service.db
      .insertInto('webhook_inbox')
      .values({
        provider: 'sandbox',
        event_id: 'lost',
        payload_sealed: randomBytes(8),
        received_at: service.clock.now(),
        next_try_at: service.clock.now() + 9e6,
        processed_at: null,
        failure: null,
        forgotten_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    later(900)
    expect(await subjects('payment_waits')).toEqual(['provider:sandbox:events'])
    later(2700)
    expect(await subjects('payment_waits')).toEqual(
      ['provider:sandbox:payments', 'provider:sandbox:events'].sort().reverse(),
    )
    await service.db.deleteFrom('webhook_inbox').where('id', '=', id).execute()
    await service.db.updateTable('payments').set({ checks: 1 }).execute()
    expect(await subjects('payment_waits')).toEqual([])
  })
})

test('letters that do not leave', async () => {
  const now = service.clock.now()
  const letter = { letter_sealed: randomBytes(8), subject_hash: null, attempts: 2, created_at: now }
  await service.db
    .insertInto('mails')
    .values({ ...letter, next_try_at: now + 9e6, expires_at: now + 9e6 })
    .execute()
  expect(await subjects('mail_stuck')).toEqual([])
  later(300)
  expect((await open('mail_stuck')).map(({ details }) => details)).toEqual([{ letters: 1, oldest_at: now }])
  await service.db.deleteFrom('mails').execute()
  expect(await subjects('mail_stuck')).toEqual([])
})

test('rates that are old, of what one can pay in', async () => {
  await service.operator('PUT', '/rates/TON', { rub: 400, valid_hours: 1 })
  await service.operator('PUT', '/rates/USD', { rub: 80, valid_hours: 1 })
  expect(await subjects('rates_old')).toEqual([])
  later(3600)
  expect(await subjects('rates_old')).toEqual(['rate:TON'])
  await service.operator('PUT', '/rates/TON', { rub: 400, valid_hours: null })
  expect(await subjects('rates_old')).toEqual([])
})

test('certificates near their end', async () => {
  const make = (days: number) =>
    selfSignedCertificate({
      serverName: 'one.example.com',
      notBefore: service.clock.now() - 86_400,
      days: days + 1,
      keyPair: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      serial: '0123456789abcdef',
    })
  const { certificate, key } = make(20)
  const server = { domain: 'one.example.com', certificate, certificate_key: key }
  const node = await enrolNode(service, 1, server)
  await node.report()
  expect(await subjects('certificate_ending')).toEqual([])
  later(6 * 86_400)
  await node.report()
  const [alert] = await open('certificate_ending')
  expect(alert).toMatchObject({
    subject: `server:${node.serverId}`,
    details: { domain: 'one.example.com', ends_at: service.clock.now() + 14 * 86_400 },
  })
  await service.db
    .updateTable('servers')
    .set({ certificate: make(90).certificate })
    .where('id', '=', node.serverId)
    .execute()
  expect(await subjects('certificate_ending')).toEqual([])
})

test('jobs that stand still or always fail, on whichever instance', async () => {
  jobRuns = new JobRuns()
  const turn = { fails: true }
  const run = jobRuns.watch({ name: 'sweep', everySeconds: 400 }, async () => {
    if (turn.fails) throw new TypeError('user 7 has no name')
  })
  await expect(run()).rejects.toThrow()
  expect(await subjects('job_stuck')).toEqual([])
  // Another instance, where it came to its end long ago.
  const noted = { name: 'sweep', instance: 'other', problem: null }
  const now = service.clock.now()
  const stalled = { ...noted, finished_at: now - 1200, noted_at: now }
  await service.db.insertInto('job_runs').values(stalled).execute()
  expect((await open('job_stuck')).map(({ subject, details }) => [subject, details.job])).toEqual([
    ['job:sweep', 'sweep'],
  ])
  // It is gone since, and nobody waits for it.
  later(301)
  expect(await subjects('job_stuck')).toEqual([])
  const { problem } = await service.db
    .selectFrom('job_runs')
    .select('problem')
    .where('name', '=', 'sweep')
    .executeTakeFirstOrThrow()
  expect(problem).toBe('TypeError')
})

test('a job that works on for long and gets on is not one of them; one that then fails each time is', async () => {
  jobRuns = new JobRuns()
  let clockMs = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => clockMs)
  const passes = (seconds: number) => {
    clockMs += seconds * 1000
  }
  const end = Promise.withResolvers<void>()
  const turn: { progress?: () => void } = {}
  const run = jobRuns.watch({ name: 'long', everySeconds: 10 }, async (progress) => {
    turn.progress = progress
    await end.promise
  })
  const isOver = run()
  passes(1000)
  turn.progress?.()
  passes(800)
  expect(await subjects('job_stuck')).toEqual([])
  passes(101)
  expect(await subjects('job_stuck')).toEqual(['job:long'])
  turn.progress?.()
  expect(await subjects('job_stuck')).toEqual([])
  end.reject(new TypeError('in the middle'))
  await expect(isOver).rejects.toThrow()
  expect(await subjects('job_stuck')).toEqual(['job:long'])
  clock.mockRestore()
})

describe('technicians', () => {
  test('see and settle what is about machines, and nothing with sums or customers', async () => {
    const now = service.clock.now()
    await raiseAlert(service.db, { kind: 'wrong_amount', subject: 'receipt:1', details: { amount: 5 }, now })
    await raiseAlert(service.db, { kind: 'not_carried', subject: 'server:1', details: {}, now })
    const token = await createOperator(service.db, { name: 'ivan', role: 'technician', now })
    const ask = (method: string, path: string, body?: object) =>
      service.call(method, `/operator/v1${path}`, { token, body })
    const seen = (await ask('GET', '/alerts')).body.data as Alert[]
    expect(seen.map(({ kind }) => kind)).toEqual(['not_carried'])
    const { body } = await service.operator('GET', '/alerts')
    const money = body.data.find(({ kind }: Alert) => kind === 'wrong_amount')
    expect((await ask('POST', `/alerts/${money.id}/resolve`, {})).status).toBe(404)
    expect((await ask('POST', `/alerts/${seen[0]?.id}/resolve`, {})).status).toBe(200)
  })
})

test('a kind of another release is listed with words too', async () => {
  await service.db
    .insertInto('alerts')
    .values({
      kind: 'of_tomorrow',
      subject: 'x',
      details: '{}',
      created_at: 1,
      resolved_at: null,
      resolved_by: null,
    })
    .execute()
  const { body } = await service.operator('GET', '/alerts')
  expect(body.data[0].text_en).toContain('does not know')
})
