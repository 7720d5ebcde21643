import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { describeWith, xrayPath } from '../../../../test/support/engines/engines.ts'
import { startXrayClient } from '../../../../test/support/engines/xray-client.ts'
import { xray } from '../../../../test/support/pieces.ts'
import type { VlessEndpoint } from '../../vpn/endpoint.ts'
import * as samples from './testing/endpoints.ts'
import { xrayOutbound } from './xray-outbound.ts'

vi.setConfig({ testTimeout: 60_000 })

/** The first bytes that an onlooker sees of this endpoint's client. */
const firstBytes = async (endpoint: VlessEndpoint): Promise<Buffer> => {
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-hello-'))
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const outbound = xrayOutbound({ ...endpoint, port }) ?? {}
  const client = await startXrayClient(xrayPath() ?? '', directory, outbound)
  const seen = once(listener, 'connection').then(async ([socket]: Socket[]) => {
    const [bytes] = (await once(socket as Socket, 'data')) as [Buffer]
    socket?.destroy()
    return bytes
  })
  const tunnel = await client.open('192.0.2.1', 80)
  tunnel.write('hello')
  const bytes = await seen
  tunnel.destroy()
  await client.close()
  listener.close()
  await rm(directory, { recursive: true })
  return bytes
}

/** The server name in a TLS ClientHello, or null when it has none. */
const serverNameIn = (hello: Buffer): string | null => {
  // Record and handshake headers, version and random number come first, all of fixed size.
  let offset = 5 + 4 + 2 + 32
  offset += 1 + hello.readUInt8(offset)
  offset += 2 + hello.readUInt16BE(offset)
  offset += 1 + hello.readUInt8(offset)
  const end = offset + 2 + hello.readUInt16BE(offset)
  offset += 2
  while (offset < end) {
    const [type, length] = [hello.readUInt16BE(offset), hello.readUInt16BE(offset + 2)]
    // Before the name stand the list's length, the kind of name and the name's length.
    if (type === 0) return hello.subarray(offset + 4 + 5, offset + 4 + length).toString()
    offset += 4 + length
  }
  return null
}

describeWith(xray, 'the name that onlookers see', () => {
  const securities = [samples.reality, { ...samples.tls, pinSha256: samples.pin }]
  const places = securities.flatMap((security) =>
    ['127.0.0.1', 'localhost'].map((host) => ({ host, security })),
  )

  test.each(places)('$security.kind at $host', async ({ host, security }) => {
    const seen = async (serverName: string | null): Promise<string | null> =>
      serverNameIn(await firstBytes({ ...samples.vless, host, security: { ...security, serverName } }))
    expect(await seen('n.test')).toBe('n.test')
    expect(await seen(null)).toBeNull()
  })
})
