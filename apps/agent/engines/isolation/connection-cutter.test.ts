import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { XrayServed } from '@sallyport/domain/vpn/engine/xray-accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sleep } from '../../common/backoff.ts'
import { access, inboundOn, proxy } from '../../testing/fixtures.ts'
import { whySocketsCannotBeDestroyed } from '../net/sockets.ts'
import { ConnectionCutter } from './connection-cutter.ts'
import { PacketFilter } from './packet-filter.ts'

const whyNotCut = await whySocketsCannotBeDestroyed()

const server = createServer((socket) => socket.on('error', () => {}))
let socket: Socket
let port: number
let cutter: ConnectionCutter

beforeEach(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  cutter = new ConnectionCutter(new PacketFilter('test'))
  cutter.begin('m4rk')
})
afterEach(() => {
  socket.destroy()
  server.close()
})

const line = (tail: string): string =>
  `2026/11/15 03:50:00.000001 from 127.0.0.1:${socket.localPort} accepted tcp:a:1 ${tail}`
const isCut = async (): Promise<boolean> => {
  for (let waits = 0; waits < 10 && !socket.closed; waits += 1) await sleep(50)
  return socket.closed
}
const served = (...accesses: XrayServed['accesses']): XrayServed => ({
  inbounds: [inboundOn(port, 1)],
  accesses,
})

test.skipIf(whyNotCut !== null)(
  'a connection that shows up after its customer has gone is ended',
  async () => {
    cutter.serve(served())
    cutter.read(line('[vless-1 >> direct~m4rk] email: c1'))
    expect(await isCut()).toBe(true)
  },
)

test('a line that lacks the mark was written by a customer and ends nothing', async () => {
  cutter.serve(served())
  cutter.read(line('[vless-1 >> direct] email: c1'))
  cutter.read(line('[vless-1 >> direct~other] email: c1'))
  expect(await isCut()).toBe(false)
})

test.skipIf(whyNotCut !== null)("the lines of a proxy name nobody, and are its one customer's", async () => {
  const mine = proxy('s1', 'http', port)
  cutter.serve({ inbounds: [], accesses: [mine] })
  cutter.read(line('[proxy-s1 >> direct~m4rk]'))
  expect(await isCut()).toBe(false)
  await cutter.cut(new Set(['s1']))
  expect(await isCut()).toBe(true)
})

test.each([
  { sockets: null, filter: null, kept: 3 },
  { sockets: 'no', filter: null, kept: 2 },
  { sockets: null, filter: 'no', kept: 2 },
  { sockets: 'no', filter: 'no', kept: 0 },
])('only what can be ended is remembered: $sockets, $filter', async ({ sockets, filter, kept }) => {
  cutter = new ConnectionCutter({ incapable: filter } as PacketFilter)
  await cutter.probe(async () => sockets)
  cutter.begin('m4rk')
  const inbounds = [
    inboundOn(port, 1),
    { tag: 'ss-1', listen: '127.0.0.1', port, protocol: 'shadowsocks-2022' as const, server_key: '' },
  ]
  cutter.serve({ inbounds, accesses: [access('c1')] })
  const from = '2026/11/15 03:50:00.000001 from'
  cutter.read(`${from} tcp:203.0.113.5:1 accepted tcp:a:1 [vless-1 >> direct~m4rk] email: c1`)
  cutter.read(`${from} udp:203.0.113.5:2 accepted udp:a:1 [vless-1 >> direct~m4rk] email: c1`)
  cutter.read(`${from} 203.0.113.5:3 accepted tcp:a:1 [ss-1 >> direct~m4rk] email: c1`)
  expect(cutter.size).toBe(kept)
})
