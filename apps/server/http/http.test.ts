import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../test/support/service.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService()
  user = await service.createUser({ balance: 1000 })
})
afterAll(() => service.stop())

const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
  service.clock.advance(1)
  return fetch(`${service.running.url}/v1/configs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.api_key}`, 'content-type': 'application/json', ...headers },
    body,
  })
}

const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(service.running.url)
    let answer = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    socket.setTimeout(3000, () => socket.destroy())
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })

describe('check 36: the envelope is on every answer, whatever goes wrong', () => {
  const refusal = async (
    body: string,
    headers: Record<string, string>,
    status: number,
    errorCode: number,
  ): Promise<{ details?: unknown[] }> => {
    const response = await post(body, headers)
    const answer = (await response.json()) as { details?: unknown[] }
    expect(response.status).toBe(status)
    expect(answer).toMatchObject({ status: false, statusCode: status, errorCode })
    expect(response.headers.get('x-ratelimit-limit')).toBe('1')
    expect(JSON.stringify(answer)).not.toMatch(/at .*\.ts|select |node_modules/)
    return answer
  }

  // Nothing is wrong with these orders but the one thing that they are about.
  const order = JSON.stringify(usualOrder)
  const orderWith = (field: string) => `${order.slice(0, -1)},${field}}`
  const orderIn = (location: string) => order.replace('"location_id":1', `"location_id":${location}`)
  const orderFor = (promocode: string) => `{"location_id":1,"protocol":"vless","promocode":${promocode}}`
  const prototypes = ['"__proto__":{"price":1}', '"constructor":{"prototype":{"a":1}}'] as const
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  const json = { 'content-type': 'application/json' }

  test('the order that they are made from is good', async () => {
    await service.heartbeat()
    const response = await post(order)
    expect([response.status, await response.json()]).toMatchObject([201, { status: true }])
  })

  test.each([
    ['malformed JSON', '{"location_id":', '', 'the body is not valid JSON'],
    ['an empty object', '{}', 'location_id', 'is required'],
    ['an array', '[]', '', 'must be an object'],
    ['NUL in a value', orderFor('"AB\\u0000CD"'), 'promocode', 'must not contain NUL characters'],
    ['NUL in a name', orderWith('"a\\u0000b":1'), '', 'must not contain NUL characters'],
    ['a lone surrogate', orderFor('"AB\\ud800CD"'), 'promocode', 'must not contain lone surrogates'],
    ['__proto__', orderWith(prototypes[0]), '', '__proto__ and constructor.prototype are refused'],
    [
      'constructor.prototype',
      orderWith(prototypes[1]),
      '',
      '__proto__ and constructor.prototype are refused',
    ],
    [
      'deep nesting',
      orderFor(deep),
      `promocode${'.0'.repeat(31)}`,
      'must not be nested deeper than 32 levels',
    ],
    ['a number beyond doubles', orderIn('1e309'), 'location_id', 'must be a whole number'],
    ['an id beyond 2^53', orderIn('9007199254740993'), 'location_id', 'must be <= 9007199254740991'],
  ])('%s', async (_what, body, path, problem) => {
    expect((await refusal(body, json, 400, 3)).details).toContainEqual({ path, problem })
  })

  test.each([
    ['another media type', 'location_id=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 8],
    ['text', order, { 'content-type': 'text/plain' }, 415, 8],
    ['a body over 64 KiB', `${order}${' '.repeat(70_000)}`, json, 413, 7],
  ])('%s', async (_what, body, headers, status, errorCode) => {
    await refusal(body, headers, status, errorCode)
  })

  test('no prototype is another for it', async () => {
    for (const field of prototypes) await post(orderWith(field))
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('price')
    expect(({} as { price?: number; a?: number }).price).toBeUndefined()
    expect(({} as { price?: number; a?: number }).a).toBeUndefined()
  })

  test('invalid UTF-8 is refused, not repaired', async () => {
    const response = await post(Buffer.from(orderFor('"AB\xff\xfeCD"'), 'latin1'))
    const answer = (await response.json()) as { details: { problem: string }[] }
    expect(response.status).toBe(400)
    expect(answer.details[0]?.problem).toContain('UTF-8')
  })

  test('unknown addresses and methods', async () => {
    for (const path of ['/v1/nope', '/v1', '/v1/', '/operator/v1/nope', '/agent/v1/nope']) {
      expect((await service.call('GET', path)).body, path).toMatchObject({ statusCode: 404, errorCode: 1 })
    }
    const wrong = await service.call('PUT', '/v1/profile')
    expect(wrong.body).toMatchObject({ statusCode: 405, errorCode: 11, message: 'METHOD_NOT_ALLOWED' })
    expect(wrong.headers.get('allow')).toBe('DELETE, GET')
  })

  test('HEAD does not run a GET', async () => {
    await service.operator('POST', `/users/${user.id}/notifications`, { content: 'kept' })
    expect((await service.call('HEAD', '/v1/profile/notifications', { token: user.api_key })).status).toBe(
      405,
    )
    const taken = await service.customer(user, 'GET', '/profile/notifications')
    expect(taken.body.data).toHaveLength(1)
  })

  test('the name of the problem field comes with the reason', async () => {
    const response = await post('{"location_id":1,"protocol":"vless","payment_method_id":0,"tariff":1}')
    const { details } = (await response.json()) as { details: unknown }
    expect(details).toEqual([
      { path: 'tariff', problem: 'is not a field of this operation' },
      { path: 'payment_method_id', problem: 'must be >= 1' },
    ])
  })

  test('what is not HTTP gets an envelope too', async () => {
    expect(await raw('NONSENSE\r\n\r\n')).toMatch(/400 Bad Request[\s\S]*"errorCode":3/)
    const twoHosts = await raw('GET /v1/profile HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n')
    expect(twoHosts).toMatch(/400 Bad Request[\s\S]*"path":"Host"/)
    const twoLengths =
      'POST /v1/configs HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}'
    expect(await raw(twoLengths)).toMatch(/400 Bad Request/)
  })
})

test.each([
  '/v1/configs/renewal/%zz',
  `/v1/configs/renewal/${'9'.repeat(300)}`,
  `/operator/v1/payments/${'x'.repeat(300)}`,
])('an address the router cannot read gets an envelope: %s', async (path) => {
  const { status, body } = await service.call('POST', path)
  expect([status, body.errorCode]).toEqual([400, 3])
  expect(JSON.stringify(body)).not.toContain('999')
})

test('NUL characters are refused in queries as in bodies', async () => {
  const { status, body } = await service.operator('GET', '/payments?search=%00')
  expect([status, body.details]).toEqual([
    400,
    [{ path: 'search', problem: 'must not contain NUL characters' }],
  ])
})

test('forged webhooks are refused, and after a while not even heard', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 65; n++)
    statuses.push((await service.call('POST', '/webhooks/sandbox', { body: {} })).status)
  expect(statuses.filter((status) => status === 403)).toHaveLength(60)
  expect(statuses.filter((status) => status === 429)).toHaveLength(5)
  expect((await service.call('POST', '/webhooks/nobody', { body: {} })).status).toBe(404)
})

describe('limits', () => {
  test('all keys and sessions of a customer count together; other customers are not touched', async () => {
    const [one, two] = [await service.createUser(), await service.createUser()]
    await service.call('GET', '/v1/profile', { token: one.api_key })
    await service.call('GET', '/v1/locations', { token: one.session_token })
    const third = await service.call('GET', '/v1/configs', { token: one.api_key })
    expect(third.headers.get('x-ratelimit-remaining')).toBe('297')
    const other = await service.call('GET', '/v1/profile', { token: two.api_key })
    expect(other.headers.get('x-ratelimit-remaining')).toBe('299')
  })

  test('the global bucket holds 300 a minute', async () => {
    const { api_key: token } = await service.createUser()
    const answers = await Promise.all(
      Array.from({ length: 301 }, () => service.call('GET', '/v1/profile/notifications', { token })),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(300)
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(1)
  })

  test('check 30: X-Forwarded-For of strangers is not believed: 1 000 made-up addresses are one bucket', async () => {
    service.clock.advance(60)
    const statuses: number[] = []
    for (let n = 0; n < 1000; n++) {
      const headers = { 'x-forwarded-for': `198.51.${n >> 8}.${n & 255}` }
      statuses.push((await service.call('GET', '/v1/profile', { headers })).status)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(940)
    service.clock.advance(60)
  })

  test('a request refused by validation counts', async () => {
    const { api_key: token } = await service.createUser()
    expect((await service.call('POST', '/v1/configs', { token, body: { nope: 1 } })).status).toBe(400)
    expect((await service.call('POST', '/v1/configs', { token, body: {} })).status).toBe(429)
  })
})

describe('what every answer carries', () => {
  const addresses = [
    '/v1/nope',
    '/v1/profile',
    '/docs',
    '/',
    '/healthz',
    '/sub/x',
    '/pay/x',
    '/operator/v1/nodes',
    '/%',
    '/install/files/x/y',
  ]
  test.each(addresses)('nosniff at %s', async (path) => {
    const { headers } = await service.call('GET', path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toBeNull()
  })

  test('nosniff on what is not HTTP', async () => {
    expect(await raw('NONSENSE\r\n\r\n')).toContain('x-content-type-options: nosniff')
  })
})

test.each([
  ['/healthz', 'POST', 'GET, HEAD'],
  ['/docs', 'DELETE', 'GET, HEAD'],
  ['/sub/abc', 'POST', 'GET, HEAD'],
  ['/webhooks/stripe', 'GET', 'POST'],
  ['/v1/openapi.json', 'PUT', 'GET, HEAD'],
  ['/v1/configs/1/settings', 'GET', 'PATCH'],
  ['/v1/configs/1/settings', 'OPTIONS', 'PATCH'],
  ['/v1/profile/devices/settings', 'DELETE', 'GET, PATCH'],
  ['/v1/profile/devices/5', 'GET', 'DELETE'],
])('%s takes no %s, and says what it takes', async (path, method, allow) => {
  const { status, headers } = await service.call(method, path)
  expect([status, headers.get('allow')]).toEqual([405, allow])
})

test.each(['TRACE', 'PROPFIND', 'BREW'])('%s is known nowhere', async (method) => {
  const answer = await raw(`${method} /v1/profile HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`)
  expect(answer).toMatch(method === 'BREW' ? /400 Bad Request/ : /405 [\s\S]*allow: DELETE, GET/)
})

test('liveness, readiness and metrics answer', async () => {
  expect((await service.call('GET', '/healthz')).body).toEqual({ status: 'ok' })
  expect((await service.call('GET', '/readyz')).body).toEqual({ status: 'ready' })
  const metrics = await service.call('GET', '/metrics')
  expect(metrics.body).toContain('sallyport_http_request_seconds')
})
