import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../test/support/service.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser()
})
afterAll(() => service.stop())

const megabyte = 2 ** 20

interface Told {
  readonly answer: string
  /** How much was taken before the connection ended. */
  readonly sentBytes: number
}

/** Sends for as long as somebody listens. */
const send = (headers: readonly string[], chunk: Buffer, mostBytes: number): Promise<Told> =>
  new Promise((resolve) => {
    const { port } = new URL(service.running.url)
    let [answer, sentBytes, isOver] = ['', 0, false]
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
    const end = () => {
      isOver = true
      socket.destroy()
      resolve({ answer, sentBytes })
    }
    const pump = () => {
      while (!isOver && sentBytes < mostBytes) {
        sentBytes += chunk.length
        if (!socket.write(chunk)) return void socket.once('drain', pump)
      }
    }
    socket.on('data', (bytes) => {
      answer += bytes
      setTimeout(end, 50)
    })
    socket.once('error', end).once('end', end).once('close', end)
    socket.write(
      [
        'POST /v1/configs HTTP/1.1',
        'Host: here',
        `Authorization: Bearer ${user.api_key}`,
        'Content-Type: application/json',
        ...headers,
        '',
        '',
      ].join('\r\n'),
    )
    pump()
  })

const block = Buffer.alloc(64 * 1024, 'x')
const chunked = Buffer.concat([Buffer.from(`${block.length.toString(16)}\r\n`), block, Buffer.from('\r\n')])
const deep = Buffer.from(
  `{"location_id":1,"protocol":"vless","promocode":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
)
// Unpacked it would be a good order, with much space after it.
const bomb = gzipSync(JSON.stringify(usualOrder).padEnd(60 * megabyte))
const whole = (bytes: Buffer) => [`Content-Length: ${bytes.length}`]

const attacks: [string, () => Promise<Told>, RegExp][] = [
  [
    'a length beyond the limit',
    () => send([`Content-Length: ${200 * megabyte}`], block, 200 * megabyte),
    / 413 /,
  ],
  ['chunks without a length', () => send(['Transfer-Encoding: chunked'], chunked, 200 * megabyte), / 413 /],
  [
    'a gzip bomb',
    () => send(['Content-Encoding: gzip', ...whole(bomb)], bomb, 1),
    / 400 [\s\S]*the body is not valid UTF-8/,
  ],
  [
    'very deep JSON',
    () => send(whole(deep), deep, 1),
    / 400 [\s\S]*must not be nested deeper than 32 levels/,
  ],
]

const restingBytes = async (): Promise<number> => {
  global.gc?.()
  await new Promise((resolve) => setTimeout(resolve, 100))
  return process.memoryUsage().rss
}

/** How much more was held at any moment of the work than before it; the kernel keeps that mark. */
const peakBytes = async (work: () => Promise<unknown>): Promise<number> => {
  const before = await restingBytes()
  writeFileSync('/proc/self/clear_refs', '5')
  await work()
  const [, kilobytes = 'none'] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024 - before
}

test.each(attacks)('check 35: %s is refused, and memory stays as it is', async (_what, attack, refusal) => {
  for (let n = 0; n < 3; n++) await attack()
  const before = await restingBytes()
  for (let n = 0; n < 40; n++) {
    const { answer, sentBytes } = await attack()
    expect(answer).toMatch(refusal)
    expect(sentBytes, 'it is refused before it is read').toBeLessThan(16 * megabyte)
  }
  expect(((await restingBytes()) - before) / megabyte, 'megabytes').toBeLessThan(100)
  expect((await peakBytes(attack)) / megabyte, 'megabytes for a moment').toBeLessThan(40)
  expect((await service.call('GET', '/v1/profile', { token: user.api_key })).status).toBe(200)
})

test('check 35: a text of a megabyte, a list of 100 000 and a limit of a billion are refused', async () => {
  const { session_token: token } = user
  const long = { title: 'x'.repeat(megabyte) }
  expect((await service.call('POST', '/v1/profile/api-keys', { token, body: long })).status).toBe(413)
  const list = { events: Array.from({ length: 100_000 }, () => 1) }
  expect((await service.operator('POST', '/webhooks', list)).status).toBe(413)
  expect((await service.operator('GET', '/users?limit=1000000000')).status).toBe(400)
})
