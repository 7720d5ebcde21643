import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import { TestClock } from '../../../../test/support/service.ts'
import { MemoryLimiter } from '../../adapters/limits/memory-limiter.ts'
import { createHttpServer } from '../../compose/http-server.ts'
import { readConfig } from '../../config.ts'
import { createApp } from '../../http/app.ts'
import { RequestTimes } from '../../http/metrics/request-times.ts'
import type { Charge } from '../../ports/payments.ts'
import { deliverSandboxEvents } from './delivery.ts'
import { Sandbox } from './provider.ts'
import { sandboxRoutes } from './routes.ts'

const database = useTestDatabase()
const clock = new TestClock()
const log = pino({ level: 'silent' })
const key = Buffer.alloc(32, 7)
const events: { event_id: string; type: string; payment_id: string }[] = []
let isDeliveryBroken = false
let hook: Server
let hookUrl = ''
let sandbox: Sandbox
let app: FastifyInstance
let url = ''
let count = 0

/** Every event passes the provider's own judgement, as in the real route. */
const startHook = async (): Promise<void> => {
  hook = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const verdict = sandbox.judge({ headers: request.headers, body, ip: '127.0.0.1', now: clock.now() })
    if (verdict.kind === 'event') events.push(JSON.parse(body.toString()))
    response.writeHead(verdict.kind === 'event' ? 200 : 401).end('{}')
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/webhooks/sandbox`
}

const deliver = async (paymentId?: string): Promise<void> => {
  if (isDeliveryBroken) throw new Error('broken')
  const parts = { db: database().db, key, webhookUrl: () => hookUrl, log }
  await deliverSandboxEvents(parts, clock.now(), paymentId)
}

beforeAll(async () => {
  const { db } = database()
  sandbox = new Sandbox({ db, key, publicUrl: () => url, clock })
  await startHook()
  app = createApp({
    logger: log,
    clock,
    trustedProxies: [],
    onUndeclared: () => undefined,
    httpServer: createHttpServer(readConfig({})),
    follow: { times: new RequestTimes(), tracer: undefined, isProxy: () => false },
  })
  app.post('/elsewhere', async () => ({}))
  const limiter = new MemoryLimiter(() => clock.now() * 1000)
  sandboxRoutes(app, { db, clock, limiter, log, deliver })
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterEach(() => {
  events.length = 0
  isDeliveryBroken = false
})
afterAll(async () => {
  await app.close()
  hook.closeAllConnections()
  await new Promise((resolve) => hook.close(resolve))
})

const charge = (fields: Partial<Charge> = {}): Charge => ({
  paymentId: `pay_${++count}`,
  method: 'sbp',
  amount: 1290,
  currency: 'RUB',
  title: { ru: 'VPN на 30 дней', en: 'VPN for 30 days' },
  returnUrl: 'https://vpn.example.com/cabinet?a=1&b=2',
  createdAt: clock.now(),
  expiresAt: clock.now() + 3600,
  ...fields,
})

const open = async (fields: Partial<Charge> = {}): Promise<string> => {
  const made = charge(fields)
  await sandbox.create(made)
  return made.paymentId
}

const read = (paymentId: string) =>
  sandbox.read({ paymentId, providerPaymentId: paymentId, amount: 1290, currency: 'RUB', createdAt: 0 })
const told = () => events.map(({ type }) => type)

const page = async (paymentId: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url}/pay/${paymentId}`, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const post = async (paymentId: string, body: unknown) => {
  const response = await fetch(`${url}/pay/${paymentId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
const act = async (paymentId: string, action: string) => {
  const { status, body } = await post(paymentId, { action })
  return [status, (body as { state?: string }).state]
}
const click = (paymentId: string, action: string, query = '') =>
  fetch(`${url}/pay/${paymentId}${query}`, {
    method: 'POST',
    body: new URLSearchParams({ action }),
    redirect: 'manual',
  })

describe('buttons', () => {
  test('a form is answered by the page, which says what happened; the service has heard by then', async () => {
    const id = await open()
    const response = await click(id, 'pay', '?lang=en')
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe(`/pay/${id}?lang=en`)
    expect(events).toEqual([
      {
        event_id: `${id}.succeeded.${clock.now()}`,
        type: 'payment.succeeded',
        payment_id: id,
        amount: 1290,
        currency: 'RUB',
      },
    ])
    const shown = await page(`${id}?lang=en`)
    expect(shown.text).toContain('<h2>Paid</h2>')
    expect(shown.text).not.toContain('<form')
    expect(shown.text).toContain('href="https://vpn.example.com/cabinet?a=1&amp;b=2"')
  })

  test('what is over changes no more', async () => {
    const paid = await open()
    expect(await act(paid, 'pay')).toEqual([200, 'succeeded'])
    for (const action of ['pay', 'decline', 'later'])
      expect(await act(paid, action)).toEqual([409, 'succeeded'])
    const declined = await open()
    expect(await act(declined, 'decline')).toEqual([200, 'declined'])
    for (const action of ['pay', 'later']) expect(await act(declined, action)).toEqual([409, 'declined'])
    expect((await click(declined, 'pay')).status).toBe(303)
    expect((await page(declined)).text).toContain('Оплата отклонена')
    expect(told()).toEqual(['payment.succeeded', 'payment.declined'])
  })

  test('twenty clicks at once have one effect', async () => {
    const id = await open()
    const actions = Array.from({ length: 20 }, (_, n) => (n % 2 ? 'pay' : 'decline'))
    const answers = await Promise.all(actions.map((action) => act(id, action)))
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(([, state]) => state)).size).toBe(1)
    expect(events).toHaveLength(1)
  })

  test('a payment holds though the service cannot be told; it hears of it later', async () => {
    const id = await open()
    isDeliveryBroken = true
    expect(await act(id, 'pay')).toEqual([200, 'succeeded'])
    isDeliveryBroken = false
    await deliver()
    expect(told()).toEqual(['payment.succeeded'])
  })

  test('after the end of the link nothing can be paid', async () => {
    const id = await open({ expiresAt: clock.now() + 60 })
    clock.advance(60)
    for (const action of ['pay', 'later', 'decline']) expect(await act(id, action)).toEqual([409, 'expired'])
    const { text } = await page(id)
    expect(text).toContain('Время вышло')
    expect(text).not.toContain('<form')
    expect(await read(id)).toEqual([])
  })

  test('a strange action or field is refused, and so is a form anywhere else', async () => {
    const id = await open()
    for (const body of [{ action: 'steal' }, { action: 'toString' }, {}, [], { action: 'pay', amount: 1 }])
      expect((await post(id, body)).status).toBe(400)
    expect((await click(id, 'steal')).status).toBe(400)
    const form = { method: 'POST', body: new URLSearchParams({ action: 'pay' }) }
    expect((await fetch(`${url}/elsewhere`, form)).status).toBe(415)
    const large = { method: 'POST', body: new URLSearchParams({ action: 'x'.repeat(2000) }) }
    expect((await fetch(`${url}/pay/${id}`, large)).status).toBe(413)
    expect(await read(id)).toEqual([])
  })
})

describe('the page', () => {
  test('speaks the language of the reader, or the chosen one', async () => {
    const id = await open()
    const english = await page(id, { 'accept-language': 'en-GB,en;q=0.9' })
    expect(english.text).toContain('<h1>VPN for 30 days</h1>')
    expect(english.text).toContain('no money moves')
    expect(english.headers.get('content-language')).toBe('en')
    expect((await page(id)).text).toContain('<h1>VPN на 30 дней</h1>')
    expect((await page(`${id}?lang=ru`, { 'accept-language': 'en' })).text).toContain('деньги не списываются')
    expect((await page(`${id}?lang=xx&lang=en`)).status).toBe(200)
  })

  test('is kept nowhere, tells nobody where it was, and lets nothing run', async () => {
    const { headers } = await page(await open())
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    )
  })

  test('an unknown payment is 404 for people and programs, and guessing is throttled by address', async () => {
    clock.advance(60)
    const unknown = await page('nobody')
    expect([unknown.status, unknown.text.includes('Платёж не найден')]).toEqual([404, true])
    expect((await post('nobody', { action: 'pay' })).body).toMatchObject({ statusCode: 404, errorCode: 1 })
    for (const name of ['%00', 'a'.repeat(200), '..%2Fx']) expect((await page(name)).status).toBe(404)
    for (let n = 0; n < 25; n++) await page('nobody')
    expect((await page('nobody')).headers.get('retry-after')).toBe('60')
    const refused = await post('nobody', { action: 'pay' })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect((await page(await open())).status).toBe(200)
  })
})
