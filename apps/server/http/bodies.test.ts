import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../test/support/service.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService()
  user = await service.createUser({ balance: 2000 })
})
afterAll(() => service.stop())

const raw = (method: string, path: string, headers: readonly string[], body = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    service.clock.advance(60)
    const { port } = new URL(service.running.url)
    const head = [`${method} ${path} HTTP/1.1`, 'Host: here', `Authorization: Bearer ${user.api_key}`]
    const text = [...head, 'Connection: close', ...headers, '', body].join('\r\n')
    let answer = ''
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })

describe('no bytes are no body, whatever they are called', () => {
  const types = [
    [],
    ['Content-Type: application/x-www-form-urlencoded'],
    ['Content-Type: text/plain'],
    ['Content-Type: application/json'],
    ['Content-Type: multipart/form-data; boundary=x'],
    ['Content-Type: nonsense'],
  ]
  const lengths: [string, string[], string][] = [
    ['Content-Length: 0', ['Content-Length: 0'], ''],
    ['chunked', ['Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['no length', [], ''],
  ]
  const cases = types.flatMap((type) =>
    lengths.map(
      ([name, headers, body]) => [type[0] ?? 'no type', name, [...type, ...headers], body] as const,
    ),
  )

  test.each(cases)('%s, %s', async (_type, _name, headers, body) => {
    expect(await raw('POST', '/v1/xray/keys', headers, body)).toMatch(/ 201 /)
    expect(await raw('PATCH', '/v1/profile/subscriptionLink', headers, body)).toMatch(/ 200 /)
    expect(await raw('DELETE', '/v1/profile/devices', headers, body)).toMatch(/ 200 /)
  })

  test('an operation that needs fields says which', async () => {
    const form = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 0']
    await service.heartbeat()
    const { id } = await service.buy(user)
    const answer = await raw('PATCH', `/v1/configs/title/${id}`, form)
    expect(answer).toMatch(/ 400 [\s\S]*"path":"title","problem":"is required"/)
  })

  test('bytes of another type are still refused', async () => {
    const form = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 3']
    expect(await raw('POST', '/v1/xray/keys', form, 'a=1')).toMatch(/ 415 [\s\S]*"errorCode":8/)
    const chunked = ['Content-Type: text/plain', 'Transfer-Encoding: chunked']
    expect(await raw('POST', '/v1/xray/keys', chunked, '1\r\na\r\n0\r\n\r\n')).toMatch(/ 415 /)
    expect(await raw('POST', '/v1/xray/keys', ['Content-Length: 2'], '{}')).toMatch(/ 415 /)
    const keyNow = async () => (await service.customer(user, 'GET', '/profile')).body.data.subscription_key
    const key = await keyNow()
    expect(await raw('PATCH', '/v1/profile/subscriptionLink', form, 'a=1')).toMatch(/ 415 /)
    expect(await keyNow()).toBe(key)
  })
})

test.each(['null', ' null '])('%j is not an object', async (body) => {
  for (const [method, path] of [
    ['POST', '/xray/keys'],
    ['POST', '/configs'],
    ['PATCH', '/profile/notification-settings'],
    ['DELETE', '/profile/devices'],
  ] as const) {
    service.clock.advance(60)
    const answer = await service.call(method, `/v1${path}`, { token: user.api_key, body })
    expect([answer.status, answer.body.errorCode], path).toEqual([400, 3])
  }
})

test('a body of endless small values is not looked through', async () => {
  const { status, body } = await service.customer(user, 'POST', '/configs', `[${'{},'.repeat(20_000)}{}]`)
  expect([status, body.details]).toEqual([400, [{ path: '', problem: 'has too many values' }]])
  const few = await service.customer(user, 'POST', '/configs', `[${'{},'.repeat(100)}{}]`)
  expect(few.body.details).not.toContainEqual({ path: '', problem: 'has too many values' })
})

test('callers who hang up in the middle are one line of the log a minute', async () => {
  const { log } = service.running.services
  const [info, warn, error] = [vi.spyOn(log, 'info'), vi.spyOn(log, 'warn'), vi.spyOn(log, 'error')]
  const { port } = new URL(service.running.url)
  const hangUp = () =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        const head = `POST /v1/configs HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${user.api_key}\r\n`
        socket.write(`${head}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a":`)
        setTimeout(() => socket.destroy(), 50)
      })
      socket.on('close', () => resolve())
    })
  const told = () => info.mock.calls.filter(([, text]) => String(text).includes('hung up'))
  const round = async () => {
    for (let n = 0; n < 5; n++) {
      service.clock.advance(1)
      await hangUp()
    }
  }
  await round()
  await expect.poll(told).toHaveLength(1)
  await new Promise((resolve) => setTimeout(resolve, 100))
  service.clock.advance(60)
  await round()
  await expect.poll(told).toEqual([
    [{ before: 0 }, expect.any(String)],
    [{ before: 4 }, expect.any(String)],
  ])
  expect([warn.mock.calls, error.mock.calls]).toEqual([[], []])
})

test.each(['\u202egpj.exe', 'a\u0007b', 'two\nlines', '   ', '\u200b'])('%j is no title', async (title) => {
  await service.heartbeat()
  const config = await service.buy(user)
  const problem = expect.stringContaining('must be one line of text')
  const named = await service.customer(user, 'PATCH', `/configs/title/${config.id}`, { title })
  expect([named.status, named.body.details]).toEqual([
    400,
    expect.arrayContaining([{ path: 'title', problem }]),
  ])
  const { body } = await service.operator('POST', `/users/${user.id}/sessions`)
  const key = await service.call('POST', '/v1/profile/api-keys', {
    token: body.data.session_token,
    body: { title },
  })
  expect([key.status, key.body.details]).toEqual([400, expect.arrayContaining([{ path: 'title', problem }])])
  const shown = (await service.customer(user, 'GET', '/configs')).body.data
  expect(shown.map((one: { title: unknown }) => one.title)).toEqual(shown.map(() => null))
})
