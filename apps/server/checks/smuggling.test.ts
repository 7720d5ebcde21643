import { mkdtemp, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describeWith } from '../../../test/support/engines/engines.ts'
import { haproxy, nginx, type Piece } from '../../../test/support/pieces.ts'
import { freePort } from '../../../test/support/ports.ts'
import { startTestService, type TestService, type TestUser } from '../../../test/support/service.ts'
import { startTethered, type Tethered } from '../../../test/support/tethered.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, env: { TRUSTED_PROXIES: '127.0.0.1' } })
  user = await service.createUser()
})
afterAll(() => service.stop())

/** There may be five. */
beforeEach(async () => {
  await service.db.deleteFrom('api_keys').where('title', '=', 'smuggled').execute()
})

const servicePort = () => Number(new URL(service.running.url).port)

/** Everything that comes back within a moment. */
const raw = (port: number, text: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.setTimeout(300, () => socket.destroy())
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })

const body = '{"title":"smuggled"}'
const inChunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
/** What a neighbour's request would be glued to. */
const hidden = 'GET /v1/smuggled HTTP/1.1\r\nHost: here\r\nX-Rest: '

const write = (
  headers: readonly string[],
  after: string,
  first = 'POST /v1/profile/api-keys HTTP/1.1',
): string =>
  [
    first,
    ...headers,
    `Authorization: Bearer ${user.session_token}`,
    'Content-Type: application/json',
    '',
    after,
  ].join('\r\n')
const usual = (...headers: string[]) => ['Host: here', ...headers]
const length = `Content-Length: ${body.length}`

const attacks: [string, () => string][] = [
  ['a length and chunks', () => write(usual(length, 'Transfer-Encoding: chunked'), inChunks)],
  [
    'a length and chunks, with more behind',
    () => write(usual('Content-Length: 4', 'Transfer-Encoding: chunked'), `0\r\n\r\n${hidden}`),
  ],
  [
    'chunks and a length, with more behind',
    () =>
      write(
        usual('Transfer-Encoding: chunked', `Content-Length: ${5 + hidden.length}`),
        `0\r\n\r\n${hidden}`,
      ),
  ],
  ['two lengths', () => write(usual(length, 'Content-Length: 0'), body)],
  ['two lengths in one', () => write(usual(`Content-Length: ${body.length}, 0`), body)],
  ['a length with a sign', () => write(usual(`Content-Length: +${body.length}`), body)],
  ['a length below nothing', () => write(usual('Content-Length: -1'), body)],
  ['a length in hexadecimal', () => write(usual('Content-Length: 0x14'), body)],
  ['another coding', () => write(usual('Transfer-Encoding: xchunked'), inChunks)],
  ['another coding and a length', () => write(usual('Transfer-Encoding: xchunked', length), body)],
  ['two codings', () => write(usual('Transfer-Encoding: chunked', 'Transfer-Encoding: identity'), inChunks)],
  ['a coding after chunks', () => write(usual('Transfer-Encoding: chunked, identity'), inChunks)],
  ['a folded header', () => write(usual('X-Long: a\r\n b', length), body)],
  ['a folded coding', () => write(usual('Transfer-Encoding:\r\n chunked', length), body)],
  ['a space before the colon', () => write(usual('Transfer-Encoding : chunked', length), body)],
  ['line ends without carriage returns', () => write(usual(length), body).replaceAll('\r\n', '\n')],
  ['a header with NUL', () => write(usual('X-Nul: a\0b', length), body)],
  ['a carriage return alone', () => write(usual('X-Cr: a\rTransfer-Encoding: chunked', length), body)],
  ['no Host', () => write([length], body)],
  ['two Hosts', () => write(['Host: here', 'Host: there', length], body)],
  ['the same Host twice', () => write(['Host: here', 'Host: here', length], body)],
  [
    'a chunk of another number',
    () => write(usual('Transfer-Encoding: chunked'), `1g\r\n${body}\r\n0\r\n\r\n`),
  ],
  [
    'a chunk without end',
    () => write(usual('Transfer-Encoding: chunked'), `fffffffffffffffff\r\n${body}\r\n0\r\n\r\n`),
  ],
  [
    'a chunk that is longer than it says',
    () => write(usual('Transfer-Encoding: chunked'), `2\r\n${body}\r\n0\r\n\r\n`),
  ],
  ['another version', () => write(usual(length), body, 'POST /v1/profile/api-keys HTTP/1.7')],
  ['a header of 20 KiB', () => write(usual(`X-Long: ${'x'.repeat(20_480)}`, length), body)],
]

const keys = async (): Promise<number> =>
  (await service.db.selectFrom('api_keys').select('id').where('user_id', '=', user.id).execute()).length

test('an honest request is taken, so that the following tests mean something', async () => {
  const before = await keys()
  expect(await raw(servicePort(), write(usual(length, 'Connection: close'), body))).toMatch(
    /^HTTP\/1\.1 201 /,
  )
  expect(await keys()).toBe(before + 1)
})

describe('sent to the service itself', () => {
  test.each(attacks)('check 37: %s: one refusal, nothing done', async (_what, attack) => {
    const before = await keys()
    const answer = await raw(servicePort(), attack())
    expect(answer.split('HTTP/1.1 ')).toHaveLength(2)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(await keys()).toBe(before)
  })
})

const nginxConf = (port: number, folder: string) => `
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
  uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  upstream service { server 127.0.0.1:${servicePort()}; keepalive 4; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_request_buffering off;
    }
  }
}
`

const haproxyConf = (port: number) => `
defaults
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 10s
  http-reuse always
frontend front
  bind 127.0.0.1:${port}
  default_backend service
backend service
  server one 127.0.0.1:${servicePort()}
`

const proxies: [
  Piece,
  (port: number, folder: string) => string,
  (program: string, conf: string, folder: string) => string[],
][] = [
  [nginx, nginxConf, (program, conf, folder) => [program, '-p', folder, '-c', conf, '-g', 'daemon off;']],
  [haproxy, haproxyConf, (program, conf) => [program, '-db', '-f', conf]],
]

for (const [piece, configure, command] of proxies) {
  describeWith(piece, `sent through ${piece.name}`, () => {
    let proxy: Tethered
    let port: number
    beforeAll(async () => {
      port = await freePort()
      const folder = await mkdtemp(join(tmpdir(), 'sallyport-proxy-'))
      const conf = join(folder, 'proxy.conf')
      await writeFile(conf, configure(port, folder))
      proxy = await startTethered(command(piece.find() as string, conf, folder), { folder, signal: 'TERM' })
      const isUp = () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        )
      for (const until = Date.now() + 30_000; !(await isUp()); ) {
        if (Date.now() > until) throw new Error(`${piece.name} did not answer`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })
    afterAll(() => proxy.stop())

    /** On connections of their own, over whatever the proxy keeps open. */
    const neighbours = () =>
      Promise.all(
        Array.from({ length: 6 }, () =>
          raw(port, 'GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n'),
        ),
      )

    test('an honest request is taken', async () => {
      const before = await keys()
      expect(await raw(port, write(usual(length, 'Connection: close'), body))).toMatch(/^HTTP\/1\.1 201 /)
      expect(await keys()).toBe(before + 1)
    })

    test.each(attacks)('check 37: %s reaches no neighbour', async (_what, attack) => {
      const answer = await raw(port, attack())
      expect(answer).not.toMatch(/^HTTP\/1\.1 5(?!01)/)
      for (const one of await neighbours()) {
        expect(one).toMatch(/^HTTP\/1\.1 200 /)
        expect(one.split('HTTP/1.1 ')).toHaveLength(2)
        expect(one).toContain('{"status":"ok"}')
      }
    })

    test('check 37: what the proxy lets pass is what it says it is', async () => {
      for (const [what, attack] of attacks) {
        await service.db.deleteFrom('api_keys').where('title', '=', 'smuggled').execute()
        const before = await keys()
        const isTaken = /^HTTP\/1\.1 201 /.test(await raw(port, attack()))
        expect((await keys()) - before, what).toBe(isTaken ? 1 : 0)
      }
    })
  })
}
