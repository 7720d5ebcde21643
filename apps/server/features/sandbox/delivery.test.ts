import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import { TestClock } from '../../../../test/support/service.ts'
import { deliverSandboxEvents } from './delivery.ts'
import { Sandbox } from './provider.ts'
import { actOnSandboxPayment } from './queries.ts'
import type { Action } from './state.ts'

const database = useTestDatabase()
const clock = new TestClock()
const key = Buffer.alloc(32, 7)
const warnings: string[] = []
const log = {
  info: () => undefined,
  warn: (_fields: object, message: string) => void warnings.push(message),
  error: () => undefined,
}
const heard: { event_id: string; type: string; payment_id: string }[] = []
/** What the service answers; it may look at the world before it does. */
let answer: () => Promise<number>
let hook: Server
let sandbox: Sandbox
let count = 0

beforeAll(async () => {
  sandbox = new Sandbox({ db: database().db, key, publicUrl: () => 'http://sandbox.example', clock })
  hook = createServer(async (request, response) => {
    if (request.url === '/elsewhere') return void response.writeHead(200).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const verdict = sandbox.judge({ headers: request.headers, body, ip: '127.0.0.1', now: clock.now() })
    if (verdict.kind !== 'event') return void response.writeHead(401).end()
    heard.push(JSON.parse(body.toString()))
    response.writeHead(await answer(), { location: '/elsewhere' }).end()
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
})
beforeEach(() => {
  heard.length = 0
  warnings.length = 0
  answer = async () => 200
})
afterAll(async () => {
  hook.closeAllConnections()
  await new Promise((resolve) => hook.close(resolve))
})

const hookUrl = () => `http://127.0.0.1:${(hook.address() as AddressInfo).port}/webhooks/sandbox`
const deliver = (fields = {}, paymentId?: string) =>
  deliverSandboxEvents(
    { db: database().db, key, webhookUrl: hookUrl, log, ...fields },
    clock.now(),
    paymentId,
  )

const open = async (ttlSeconds = 3600): Promise<string> => {
  const paymentId = `pay_${++count}`
  await sandbox.create({
    paymentId,
    method: 'card',
    amount: 500,
    currency: 'RUB',
    title: { ru: 'VPN', en: 'VPN' },
    returnUrl: 'https://vpn.example.com/',
    createdAt: clock.now(),
    expiresAt: clock.now() + ttlSeconds,
  })
  return paymentId
}
const act = (paymentId: string, action: Action) =>
  actOnSandboxPayment(database().db, paymentId, action, clock.now())
const paid = async (): Promise<string> => {
  const id = await open()
  await act(id, 'pay')
  return id
}
const known = { providerPaymentId: null, amount: 500, currency: 'RUB', createdAt: 0 }
const kinds = async (paymentId: string) =>
  (await sandbox.read({ paymentId, ...known })).map(({ kind }) => kind)
const refund = (id: string) =>
  sandbox.refund({ ...known, refundId: 'r', receiptId: `sandbox-${id}`, payer: null, recipient: null })
const told = () => heard.map(({ type, payment_id }) => `${type} ${payment_id}`)

test('what was heard is not told again', async () => {
  const id = await paid()
  await deliver()
  clock.advance(100_000)
  await deliver()
  expect(told()).toEqual([`payment.succeeded ${id}`])
  expect(warnings).toEqual([])
})

test('what was not heard is told again under the same name, less and less often', async () => {
  const start = clock.now()
  const id = await paid()
  const tries: number[] = []
  answer = async () => {
    tries.push(clock.now() - start)
    return tries.length < 8 ? 503 : 204
  }
  const times = [0, 5, 35, 155, 755, 2555, 6155, 9755]
  for (const time of times) {
    clock.advance(Math.max(0, start + time - 1 - clock.now()))
    await deliver()
    clock.advance(start + time - clock.now())
    await deliver()
  }
  clock.advance(3600)
  await deliver()
  expect(tries).toEqual(times)
  expect(new Set(heard.map(({ event_id }) => event_id))).toEqual(new Set([`${id}.succeeded.${start}`]))
  expect(warnings).toHaveLength(7)
})

test('nobody listening, or a redirect, is not being heard, and no failure of the caller', async () => {
  const id = await paid()
  await deliver({ webhookUrl: () => 'http://127.0.0.1:9/' })
  clock.advance(5)
  answer = async () => 302
  await deliver()
  clock.advance(30)
  answer = async () => 200
  await deliver()
  expect(told()).toEqual(Array(2).fill(`payment.succeeded ${id}`))
  expect(warnings).toHaveLength(2)
})

test('a body signed with another key is not believed', async () => {
  await paid()
  await deliver({ key: Buffer.alloc(32, 8) })
  expect(heard).toEqual([])
  clock.advance(5)
  await deliver()
  expect(heard).toHaveLength(1)
})

test('rivals share the work: sixty changes, each told once', async () => {
  const ids: string[] = []
  for (let n = 0; n < 60; n++) ids.push(await paid())
  await Promise.all(Array.from({ length: 6 }, () => deliver()))
  expect(heard.map(({ payment_id }) => payment_id).sort()).toEqual(ids.sort())
})

test('asked for one payment, it tells of no other', async () => {
  const [first, second] = [await paid(), await paid()]
  await deliver({}, second)
  expect(told()).toEqual([`payment.succeeded ${second}`])
  await deliver()
  expect(told()).toEqual([`payment.succeeded ${second}`, `payment.succeeded ${first}`])
})

test('a change during the telling is told too', async () => {
  const id = await paid()
  answer = async () => {
    answer = async () => 200
    await refund(id)
    return 200
  }
  await deliver()
  await deliver()
  expect(told()).toEqual([`payment.succeeded ${id}`, `payment.refunded ${id}`])
})

test('a payment put off is made at its moment, even past the end of the link', async () => {
  const id = await open(10)
  expect(await act(id, 'later')).toBe(true)
  clock.advance(5)
  expect(await act(id, 'later')).toBe(false)
  clock.advance(14)
  await deliver()
  expect([await kinds(id), heard]).toEqual([[], []])
  expect(await act(id, 'pay')).toBe(false)
  clock.advance(1)
  expect(await kinds(id)).toEqual(['received'])
  expect(await act(id, 'decline')).toBe(false)
  await Promise.all([deliver(), deliver(), deliver()])
  expect(told()).toEqual([`payment.succeeded ${id}`])
  expect(await kinds(id)).toEqual(['received'])
})

test('a payment put off can be made at once, declined, or refunded when its moment came unseen', async () => {
  const [now, never, back] = [await open(), await open(), await open()]
  for (const id of [now, never, back]) await act(id, 'later')
  await expect(refund(back)).rejects.toThrow()
  expect(await act(now, 'pay')).toBe(true)
  expect(await act(never, 'decline')).toBe(true)
  await deliver()
  clock.advance(20)
  for (const action of ['pay', 'decline', 'later'] as const) expect(await act(back, action)).toBe(false)
  expect(await refund(back)).toBe('done')
  await deliver()
  expect(told().sort()).toEqual(
    [`payment.declined ${never}`, `payment.refunded ${back}`, `payment.succeeded ${now}`].sort(),
  )
})
