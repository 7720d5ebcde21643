import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import type { UserConfig } from '../customer/shapes.ts'
import { operationsOf, tablesFor } from '../tables.ts'
import {
  type ClientOptions,
  createClient,
  createOperatorClient,
  type ResponseInfo,
  SallyportError,
} from './client.ts'

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

let server: Server
let baseUrl: string
let seen: Seen[] = []
let answer: (response: ServerResponse) => void

const json = (status: number, body: object, headers: Record<string, string> = {}) => {
  answer = (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
const succeed = (data: unknown, headers?: Record<string, string>) =>
  json(200, { status: true, statusCode: 200, data }, headers)

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ method: request.method, url: request.url, headers: request.headers, body })
    answer(response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterAll(() => new Promise((done) => server.close(done)))
afterEach(() => {
  seen = []
})

const clientWith = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl, token: 'slp_a_b', ...options })
const operatorClient = () =>
  createOperatorClient({ baseUrl: baseUrl.replace('/v1', '/operator/v1'), token: 'slo_a_b' })
const refusal = async (call: Promise<unknown>): Promise<SallyportError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SallyportError)
  return error as SallyportError
}

describe('requests', () => {
  test('there is a method for every operation of the audience, and no other', () => {
    const namesFor = (audience: 'customer' | 'operator') =>
      [...operationsOf(tablesFor(audience))].map(({ name }) => name)
    expect(Object.keys(clientWith())).toEqual(namesFor('customer'))
    expect(Object.keys(operatorClient())).toEqual(namesFor('operator'))
  })

  test('a page of operators says that it is one, a program does not', async () => {
    succeed({})
    await createOperatorClient({ baseUrl }).showMe()
    await operatorClient().showMe()
    expect(seen[0]?.headers).toMatchObject({ 'x-sallyport-console': '1' })
    expect(seen[0]?.headers).not.toHaveProperty('authorization')
    expect(seen[1]?.headers).not.toHaveProperty('x-sallyport-console')
  })

  test('a bare call sends the credential, the language and no body', async () => {
    succeed([])
    expect(await clientWith({ language: 'en' }).listLocations()).toEqual([])
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/v1/locations', body: '' })
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer slp_a_b', 'accept-language': 'en' })
    expect(seen[0]?.headers).not.toHaveProperty('content-type')
  })

  test('query, path and body go where they belong', async () => {
    succeed([])
    const client = clientWith({ baseUrl: `${baseUrl}/` })
    await client.listConfigs({ query: { limit: 10 } })
    await client.revokeApiKey({ params: { id: 7 } })
    await client.buyConfig({ body: { location_id: 1, protocol: 'vless' }, idempotencyKey: 'order 1' })
    await client.createApiKey()
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/v1/configs?limit=10', ''],
      ['DELETE', '/v1/profile/api-keys/7', ''],
      ['POST', '/v1/configs', '{"location_id":1,"protocol":"vless"}'],
      ['POST', '/v1/profile/api-keys', '{}'],
    ])
    expect(seen[2]?.headers).toMatchObject({
      'idempotency-key': 'order 1',
      'content-type': 'application/json',
    })
  })

  test('the token is asked for before every request', async () => {
    succeed([])
    let number = 0
    const client = clientWith({ token: async () => `t${++number}` })
    await client.listConfigs()
    await client.listConfigs()
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2'])
  })

  test('an aborted call rejects with the reason', async () => {
    succeed([])
    await expect(clientWith().listConfigs({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  })

  test('operators reach every table of theirs', async () => {
    succeed({ session_token: 't', expires_at: 1 })
    const session = await operatorClient().createSession({ params: { id: 3 } })
    await operatorClient().refundPayment({
      params: { id: 7 },
      body: { to: 'balance', reason: 'asked' },
      idempotencyKey: 'refund 7',
    })
    await operatorClient().setRate({ params: { currency: 'TON' }, body: { rub: 412.5 } })
    expect(session.session_token).toBe('t')
    expect(seen.map(({ method, url }) => [method, url])).toEqual([
      ['POST', '/operator/v1/users/3/sessions'],
      ['POST', '/operator/v1/payments/7/refund'],
      ['PUT', '/operator/v1/rates/TON'],
    ])
    expect(seen[1]?.headers).toMatchObject({
      authorization: 'Bearer slo_a_b',
      'idempotency-key': 'refund 7',
    })
  })
})

describe('answers', () => {
  test('limits are told to the hook', async () => {
    const told: ResponseInfo[] = []
    const headers = {
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '299',
      'x-ratelimit-reset': '1700000000',
    }
    succeed([], { ...headers, 'idempotency-replayed': 'true' })
    await clientWith({ onResponse: (info) => told.push(info) }).listConfigs()
    succeed([])
    await clientWith({ onResponse: (info) => told.push(info) }).listLocations()
    expect(told).toEqual([
      {
        operation: 'listConfigs',
        statusCode: 200,
        rateLimit: { limit: 300, remaining: 299, resetsAt: 1_700_000_000 },
        isReplay: true,
      },
      { operation: 'listLocations', statusCode: 200, rateLimit: undefined, isReplay: false },
    ])
  })

  test('a refusal carries code, status, message and details', async () => {
    const details = [{ path: 'protocol', problem: 'is required' }]
    json(400, { status: false, statusCode: 400, errorCode: 3, message: 'BAD_REQUEST', details })
    const error = await refusal(clientWith().buyConfig())
    expect(error).toMatchObject({ errorCode: 3, statusCode: 400, message: 'BAD_REQUEST', details })
    expect([error.is('BAD_REQUEST'), error.is('CONFLICT'), error.retryAfterSeconds]).toEqual([
      true,
      false,
      undefined,
    ])
  })

  test('a 429 says when to try again', async () => {
    const failure = { status: false, statusCode: 429, errorCode: 5, message: 'Too Many Requests' }
    json(429, failure, { 'retry-after': '12' })
    const error = await refusal(clientWith().listConfigs())
    expect([error.retryAfterSeconds, error.details]).toEqual([12, []])
  })

  test.each([
    '<html>Bad gateway</html>',
    '',
    'null',
    '"text"',
    '{}',
  ])('a strange answer %j is a refusal too', async (text) => {
    answer = (response) => response.writeHead(502).end(text)
    expect(await refusal(clientWith().getProfile())).toMatchObject({ errorCode: 0, statusCode: 502 })
  })

  test('no answer at all rejects with what fetch threw', async () => {
    const fetch = () => Promise.reject(new TypeError('offline'))
    await expect(clientWith({ fetch }).getProfile()).rejects.toThrow('offline')
  })
})

test('types follow the rows', () => {
  const client = clientWith()
  const operators = operatorClient()
  expectTypeOf(operators.approveWithdrawal).returns.resolves.toEqualTypeOf<{
    id: number
    status: 'pending' | 'paid' | 'rejected'
  }>()
  expectTypeOf(client.listConfigs).returns.resolves.toEqualTypeOf<UserConfig[]>()
  expectTypeOf(client.revokeApiKey).returns.resolves.toEqualTypeOf<true>()
  const neverRun = () => {
    // @ts-expect-error the id is required
    client.revokeApiKey()
    // @ts-expect-error the id is a number
    client.revokeApiKey({ params: { id: '7' } })
    // @ts-expect-error a required query cannot be left out
    client.listAvailableServers()
    // @ts-expect-error carrier-pigeon is no protocol
    client.listAvailableServers({ query: { location_id: 1, protocol: 'carrier-pigeon' } })
    // @ts-expect-error not a field of this operation
    client.buyConfig({ body: { colour: 'red' } })
    // @ts-expect-error a read takes no idempotency key
    client.getProfile({ idempotencyKey: 'x' })
    // @ts-expect-error operators are not customers
    client.createUser({})
    // @ts-expect-error customers are not operators
    operators.buyConfig({})
    // @ts-expect-error a refund says why
    operators.refundPayment({ params: { id: 1 }, body: { to: 'balance' } })
    // @ts-expect-error no such account
    operators.adjustBalance({ params: { id: 1 }, body: { account: 'gold', amount: 1, reason: 'x' } })
  }
  expect(neverRun).toBeTypeOf('function')
})
