import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { startTestService, type TestService, usualOrder } from '../../../test/support/service.ts'

/** Traces, as a collector gets them that speaks OTLP over HTTP. */

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[]
  readonly status?: { readonly code: number }
}

/** As the protocol has it. */
interface Exported {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}

const collector = async (status = 200) => {
  const spans: Span[] = []
  const asked: { readonly url: string | undefined; readonly tenant: unknown }[] = []
  const server: Server = createServer(async (request, response) => {
    asked.push({ url: request.url, tenant: request.headers['x-tenant'] })
    const body = (await json(request)) as Exported
    for (const { scopeSpans } of body.resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans)
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { spans, asked, url, close: () => new Promise((done) => server.close(done)) }
}

let service: TestService | undefined
let taking: Awaited<ReturnType<typeof collector>> | undefined
afterEach(async () => {
  await service?.stop()
  await taking?.close()
  service = undefined
  taking = undefined
})
const start = async (env: Record<string, string>) => {
  service = await startTestService({ withoutLimits: true, env })
  return service
}
/** What is left is sent when the service stops. */
const stopped = async (): Promise<Span[]> => {
  await service?.stop()
  service = undefined
  return taking?.spans ?? []
}
const attribute = (span: Span | undefined, key: string): unknown =>
  Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0]
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = (flags: string) => `00-${traceId}-00f067aa0ba902b7-${flags}`

test('a purchase with its transaction and its call of the provider, and nothing of who bought', async () => {
  taking = await collector()
  const running = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: taking.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a%20b',
  })
  const user = await running.createUser({ email: 'traced-person@example.com' })
  await running.heartbeat()
  const order = { ...usualOrder, payment_method_id: 2 }
  const id = { 'x-request-id': 'traced-purchase' }
  expect((await running.customer(user, 'POST', '/configs', order, id)).status).toBe(201)
  await running.call('GET', `/sub/${user.subscription_key}`)
  const spans = await stopped()
  const root = spans.find((span) => attribute(span, 'sallyport.request_id') === 'traced-purchase')
  expect(root).toMatchObject({ name: 'buyConfig', kind: 2 })
  expect(attribute(root, 'http.response.status_code')).toBe('201')
  expect(attribute(root, 'http.route')).toBe('/v1/configs')
  const own = spans.filter((span) => span.traceId === root?.traceId)
  const transaction = own.find((span) => span.name === 'db transaction')
  expect(transaction?.parentSpanId).toBe(root?.spanId)
  const queries = own.filter((span) => span.parentSpanId === transaction?.spanId)
  expect(queries.map((span) => attribute(span, 'db.query.text')).join('\n')).toContain('insert into "orders"')
  expect(own.map(({ name }) => name)).toContain('call sandbox create')
  for (const span of own) {
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
  }
  const said = JSON.stringify(spans)
  for (const secret of ['traced-person', user.api_key, user.subscription_key, user.session_token])
    expect(said).not.toContain(secret)
  expect(taking.asked[0]).toEqual({ url: '/v1/traces', tenant: 'a b' })
})

test('jobs are traced by themselves', async () => {
  taking = await collector()
  const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: taking.url })
  const { watchNodesJob } = await import('../core/alerts/watch-jobs.ts')
  running.running.services.kick(watchNodesJob as never)
  const spans = await stopped()
  const run = spans.find(({ name }) => name === 'job watch nodes')
  expect(run?.parentSpanId).toBeUndefined()
  expect(spans.some((span) => span.parentSpanId === run?.spanId && span.name === 'db transaction')).toBe(true)
})

test('who is trusted chooses what is traced; nobody else does', async () => {
  taking = await collector()
  const trusted = { OTEL_EXPORTER_OTLP_ENDPOINT: taking.url, OTEL_TRACES_SAMPLER_ARG: '0' }
  const running = await start({ ...trusted, TRUSTED_PROXIES: '127.0.0.1' })
  const ask = (flags: string) =>
    running.call('GET', '/v1/locations', { headers: { traceparent: parent(flags) } })
  await ask('00')
  await ask('01')
  await running.call('GET', '/v1/locations')
  const roots = (await stopped()).filter(({ kind }) => kind === 2)
  expect(roots).toMatchObject([{ traceId, parentSpanId: '00f067aa0ba902b7', name: 'listLocations' }])
})

test('where nobody is trusted a trace that somebody else began is another one', async () => {
  taking = await collector()
  const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: taking.url })
  await running.call('GET', '/v1/locations', { headers: { traceparent: parent('01') } })
  const roots = (await stopped()).filter(({ name }) => name === 'listLocations')
  expect(roots).toHaveLength(1)
  expect(roots[0]?.traceId).not.toBe(traceId)
})

test('a collector that is away, or refuses, costs spans and nothing else', async () => {
  const running = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  for (let times = 0; times < 5; times++) {
    const { status } = await running.call('GET', '/healthz')
    expect(status).toBe(200)
  }
  const dropped = async () => {
    const { body } = await running.call('GET', '/metrics')
    return Number(/^sallyport_trace_spans_total\{outcome="dropped"\} (\d+)$/m.exec(body)?.[1])
  }
  await expect.poll(dropped, { timeout: 5000 }).toBeGreaterThan(4)
})
