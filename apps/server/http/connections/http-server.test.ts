import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { shareOf } from './admission-limit.ts'
import { HttpServer, type HttpServerOptions } from './http-server.ts'

const usual: HttpServerOptions = {
  most: 100,
  mostOfAddress: 100,
  reserve: 2,
  isShared: (address) => address === '127.0.0.1',
  mostWaiting: 100,
  headers: { 'x-content-type-options': 'nosniff' },
  headersTimeoutMs: 60_000,
  requestTimeoutMs: 60_000,
  graceMs: 100,
}
const hasty = { headersTimeoutMs: 400, requestTimeoutMs: 800, checkEveryMs: 50 }

const ok: RequestListener = (_request, response) => {
  response.end('ok')
}

type Work = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

/** What a router does with a request: the work goes through the server's admission. */
const working =
  (httpServer: HttpServer, work: Work): RequestListener =>
  (request, response) =>
    void httpServer
      .work(request, () => work(request, response))
      .catch(() => {
        response.statusCode = 503
        response.end('later')
      })

const open = async (options: Partial<HttpServerOptions> = {}, answer: RequestListener = ok, work?: Work) => {
  const httpServer = new HttpServer({ ...usual, ...options })
  const server: Server = httpServer.createServer(work ? working(httpServer, work) : answer)
  server.on('clientError', (_error, socket) => httpServer.hangUp(socket as Socket, 'HTTP/1.1 400 No\r\n\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { httpServer, server, port, url: `http://127.0.0.1:${port}` }
}

interface Line {
  readonly socket: Socket
  readonly received: () => string
  /** The other side has said its last. */
  readonly ended: Promise<void>
}

/** A caller that never hangs up by itself. */
const dial = async (port: number, text = '', localAddress = '127.0.0.1'): Promise<Line> => {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => {
    socket.once('end', resolve).once('close', resolve)
  })
  onTestFinished(() => void socket.destroy())
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  if (text !== '') socket.write(text)
  return { socket, received: () => received, ended }
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`
const until = (what: () => unknown) => expect.poll(what, { interval: 5, timeout: 3000 })

test('callers who send a byte and wait are let go in time, though they never hang up', async () => {
  const { httpServer, port } = await open(hasty)
  for (let n = 0; n < 20; n++) await dial(port, 'G')
  await until(() => httpServer.connections).toBe(0)
})

test('a body that trickles in ends with the time for a request', async () => {
  const { httpServer, port } = await open(hasty, (request, response) => {
    request.on('data', () => undefined).on('end', () => response.end('whole'))
  })
  const line = await dial(port, 'POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\n')
  const trickle = setInterval(() => line.socket.write('x'), 30)
  onTestFinished(() => clearInterval(trickle))
  await until(() => httpServer.connections).toBe(0)
  expect(line.received()).toBe('HTTP/1.1 400 No\r\n\r\n')
})

test('whoever goes on talking after the answer is not listened to', async () => {
  const { httpServer, port } = await open()
  const line = await dial(port, 'POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\nx')
  await until(line.received).toContain('200 OK')
  await until(() => httpServer.connections).toBe(0)
})

test('a body that comes a moment later than its answer costs nobody the connection', async () => {
  const { port } = await open({ graceMs: 400 })
  const line = await dial(port, 'POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n\r\n')
  await until(line.received).toContain('ok')
  line.socket.write('abc')
  await setTimeout(600)
  line.socket.write(get('/again'))
  await until(() => line.received().split('200 OK').length).toBe(3)
})

test('of too many connections of one address the one that waited longest gives way', async () => {
  const { httpServer, port, url } = await open({ mostOfAddress: 5 })
  const first = await dial(port, 'G', '127.0.0.2')
  const others = []
  for (let n = 0; n < 4; n++) others.push(await dial(port, 'G', '127.0.0.2'))
  await until(() => httpServer.connections).toBe(5)
  const asking = await dial(port, get('/'), '127.0.0.2')
  await first.ended
  await until(asking.received).toContain('200 OK')
  expect(others.every(({ socket }) => !socket.destroyed)).toBe(true)
  expect((await fetch(url)).status).toBe(200)
})

test('a proxy on this machine brings as many as it likes', async () => {
  const { httpServer, port } = await open({ mostOfAddress: 5 })
  for (let n = 0; n < 20; n++) await dial(port, 'G')
  await until(() => httpServer.connections).toBe(20)
})

test('a full house still serves those who ask: two thousand one-byte callers in room for fifty', async () => {
  const { httpServer, port, url } = await open({ most: 50 })
  const callers: Promise<Line>[] = []
  for (let n = 0; n < 2000; n++) {
    callers.push(dial(port, 'G').catch(() => undefined as never))
    if (n % 200 === 0) expect((await fetch(url)).status).toBe(200)
  }
  await Promise.all(callers)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await fetch(url)).status).toBe(200)
  expect(httpServer.connections).toBeLessThanOrEqual(52)
})

const forEver: Work = async (request, response) => {
  if (request.url === '/healthz') return response.end('ok')
  return new Promise(() => undefined)
}

test('when nobody can give way, questions about health are answered all the same', async () => {
  const { httpServer, port, url } = await open({ most: 3 }, ok, forEver)
  for (let n = 0; n < 3; n++) await dial(port, get('/slow'))
  await until(() => httpServer.waiting).toBe(3)
  const health = await fetch(`${url}/healthz`, { headers: { connection: 'close' } })
  expect(health.status).toBe(200)
  const other = await fetch(`${url}/v1/profile`)
  expect([other.status, other.headers.get('retry-after'), other.headers.get('connection')]).toEqual([
    503,
    '1',
    'close',
  ])
})

test('the reserve stays a reserve: idle ones of it make room for nobody else', async () => {
  const { httpServer, port, url } = await open({ most: 3, reserve: 2 }, ok, forEver)
  for (let n = 0; n < 3; n++) await dial(port, get('/slow'))
  await until(() => httpServer.waiting).toBe(3)
  for (let n = 0; n < 20; n++) {
    const line = await dial(port)
    line.socket.write(get('/slow'))
  }
  await until(() => httpServer.connections).toBeLessThanOrEqual(5)
  expect(httpServer.waiting).toBe(3)
  expect((await fetch(`${url}/healthz`, { headers: { connection: 'close' } })).status).toBe(200)
})

test('whoever was served last waits shortest, and whoever is being served does not give way', async () => {
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const { httpServer, port } = await open({ most: 3 }, ok, async (request, response) => {
    if (request.url === '/slow') await done
    response.end('ok')
  })
  const busy = await dial(port, get('/slow'))
  await until(() => httpServer.waiting).toBe(1)
  const served = await dial(port)
  const idle = await dial(port, 'G')
  served.socket.write(get('/'))
  await until(served.received).toContain('200 OK')
  const newcomer = await dial(port, get('/'))
  await until(newcomer.received).toContain('200 OK')
  await idle.ended
  finish()
  await until(busy.received).toContain('200 OK')
  served.socket.write(get('/'))
  await until(() => served.received().split('200 OK')).toHaveLength(3)
})

test('an address that brings too many puts out none of another', async () => {
  const { port } = await open({ mostOfAddress: 2 })
  const other = await dial(port, 'G', '127.0.0.3')
  for (let n = 0; n < 6; n++) await dial(port, 'G', '127.0.0.2')
  await setTimeout(50)
  other.socket.write('ET / HTTP/1.1\r\nHost: here\r\n\r\n')
  await until(other.received).toContain('200 OK')
})

/** Work that goes on until it is let go. */
const held = () => {
  const waiting: (() => void)[] = []
  const work: Work = async (request, response) => {
    if (request.url !== '/healthz') await new Promise<void>((resolve) => waiting.push(resolve))
    response.end('done')
  }
  const letGo = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  return { work, letGo }
}

test('past the line answers say "later" at once; health, then operators, then what moves money go on', async () => {
  const { work, letGo } = held()
  const { httpServer, url } = await open({ mostWaiting: 8 }, ok, work)
  const ask = (path: string, method = 'GET') => fetch(url + path, { method })
  const accepted: Promise<Response>[] = []
  const fill = async (count: number, path: string, method = 'GET') => {
    for (let n = 0; n < count; n++) accepted.push(ask(path, method))
    await until(() => httpServer.waiting).toBe(accepted.length)
  }
  await fill(8, '/v1/configs')
  const refused = await ask('/v1/configs')
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    503,
    '1',
    expect.objectContaining({ status: false, statusCode: 503, errorCode: 53, message: 'UNAVAILABLE' }),
  ])
  await fill(1, '/v1/configs', 'POST')
  await fill(1, '/sub/key')
  expect((await ask('/v1/configs', 'POST')).status).toBe(503)
  expect((await ask('/webhooks/stripe', 'POST')).status).toBe(503)
  await fill(2, '/operator/v1/users')
  expect((await ask('/operator/v1/users')).status).toBe(503)
  expect((await ask('/healthz')).status).toBe(200)
  letGo()
  expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual(Array(12).fill(200))
  await until(() => httpServer.waiting).toBe(0)
})

test('while those who change something wait for connections to the database fewer are let in; reads go on', async () => {
  const { work, letGo } = held()
  const { httpServer, url } = await open({}, ok, work)
  const ask = (path: string, method = 'GET') => fetch(url + path, { method })
  const first = ask('/v1/configs', 'POST')
  await until(() => httpServer.waiting).toBe(1)
  for (let look = 0; look < 4; look++) {
    expect(httpServer.mostChanging).toBe(100)
    await setTimeout(550)
    for (let n = 0; n < 8; n++) httpServer.waitedForDatabase(300)
  }
  expect(httpServer.mostChanging).toBe(16)
  const accepted = Array.from({ length: 19 }, () => ask('/v1/configs', 'POST'))
  await until(() => httpServer.waiting).toBe(20)
  expect((await ask('/v1/configs', 'POST')).status).toBe(503)
  expect((await ask('/webhooks/stripe', 'POST')).status).toBe(503)
  accepted.push(ask('/v1/configs'), ask('/sub/key'), ask('/agent/v1/reports', 'POST'))
  await until(() => httpServer.waiting).toBe(23)
  letGo()
  expect((await Promise.all([first, ...accepted])).map(({ status }) => status)).toEqual(Array(23).fill(200))
  await until(() => httpServer.mostChanging).toBe(100)
})

test('bodies that trickle in take no place in the line', async () => {
  const { httpServer, port, url } = await open({ mostWaiting: 4 }, (request, response) => {
    request.on('data', () => undefined).on('end', () => response.end('whole'))
  })
  for (let n = 0; n < 20; n++)
    await dial(port, 'POST /webhooks/stripe HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\nx')
  expect(httpServer.waiting).toBe(0)
  expect((await fetch(`${url}/v1/configs`)).status).toBe(200)
})

test('answers that nobody reads take no place either, and are not kept for ever', async () => {
  const much = 'x'.repeat(4_000_000)
  const { httpServer, port, url } = await open(
    { mostWaiting: 4, readTimeoutMs: 300, checkEveryMs: 50 },
    ok,
    async (_, response) => response.end(much),
  )
  for (let n = 0; n < 10; n++) {
    const { socket } = await dial(port)
    socket.pause()
    socket.write(get('/v1/configs'))
  }
  expect((await fetch(`${url}/v1/configs`)).status).toBe(200)
  expect(httpServer.waiting).toBe(0)
  await until(() => httpServer.connections).toBeLessThanOrEqual(1)
})

test('agents that wait for news do not stand in the line', async () => {
  const { httpServer, port } = await open({}, ok, forEver)
  await dial(port, get('/agent/v1/state?since=1'))
  await dial(port, get('/v1/configs'))
  await until(() => httpServer.waiting).toBe(1)
})

test('work that its caller has left keeps its place until it is done', async () => {
  const { promise: done, resolve: finish } = Promise.withResolvers<void>()
  const { httpServer, port } = await open({}, ok, () => done)
  const line = await dial(port, get('/v1/configs'))
  await until(() => httpServer.waiting).toBe(1)
  line.socket.destroy()
  await until(() => httpServer.connections).toBe(0)
  expect(httpServer.waiting).toBe(1)
  finish()
  await until(() => httpServer.waiting).toBe(0)
})

test('callers who leave before their work begins do not make the line shorter than it is', async () => {
  const begin = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const httpServer = new HttpServer(usual)
  const server = httpServer.createServer((request) => {
    void begin.promise.then(() => httpServer.work(request, async () => undefined)).then(over.resolve)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const line = await dial((server.address() as AddressInfo).port, get('/v1/configs'))
  await setTimeout(50)
  line.socket.destroy()
  await until(() => httpServer.connections).toBe(0)
  begin.resolve()
  await over.promise
  expect(httpServer.waiting).toBe(0)
})

test('one connection does not queue five thousand requests', async () => {
  let heard = 0
  const { httpServer, port } = await open({}, ok, () => {
    heard++
    return new Promise(() => undefined)
  })
  const line = await dial(port, get('/v1/configs').repeat(5000))
  await until(() => heard).toBeGreaterThan(0)
  await setTimeout(200)
  expect([heard, httpServer.waiting]).toEqual([16, 16])
  line.socket.destroy()
})

test('those in front of the refused one are answered, then the connection ends', async () => {
  const { port } = await open({}, (_request, response) => void setTimeout(20).then(() => response.end('ok')))
  const line = await dial(port, get('/v1/configs').repeat(100))
  await line.ended
  expect(line.received().split('200 OK')).toHaveLength(17)
  expect(line.received().split('503 Service Unavailable')).toHaveLength(2)
})

test.each(['Expect: nonsense', 'Expect: 100-continue'])('%s is answered like any other', async (header) => {
  const { port } = await open()
  const line = await dial(port, `POST / HTTP/1.1\r\nHost: here\r\n${header}\r\nContent-Length: 0\r\n\r\n`)
  await until(line.received).toContain('200 OK')
})

test.each([
  ['/healthz', null],
  ['/healthz?x=1', null],
  ['http://anywhere.example/healthz', null],
  ['/agent/v1/state?since=4', 1.5],
  ['/agent/v1/report', 1.5],
  ['https://anywhere.example:8443/operator/v1/users?x', 1.5],
  ['/operator', 1],
  ['/operator/v1/openapi.json', 1],
  ['/v1/configs', 1],
  ['/sub/abc', 1.25],
])('GET %s may use %s of the line', (url, share) => {
  expect(shareOf('GET', url)).toBe(share)
  expect(shareOf('POST', url)).toBe(share === 1 ? 1.25 : share)
})

test('a refusal carries the headers of the house', async () => {
  const { url } = await open({ mostWaiting: 0 })
  const refused = await fetch(`${url}/v1/configs`)
  expect([refused.status, refused.headers.get('x-content-type-options')]).toEqual([503, 'nosniff'])
})

test('every answer asks to leave when it is time', async () => {
  const { httpServer, url } = await open()
  const before = await fetch(url)
  expect(before.headers.get('connection')).toBe('keep-alive')
  httpServer.askToLeave()
  expect((await fetch(url)).headers.get('connection')).toBe('close')
})

test('the usual times are those that are promised', async () => {
  const server = new HttpServer({
    most: 1,
    mostOfAddress: 1,
    reserve: 0,
    isShared: usual.isShared,
    mostWaiting: 1,
    headers: {},
  }).createServer(ok)
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 20_000])
})
