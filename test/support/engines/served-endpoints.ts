import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { servers } from '../../../packages/domain/delivery/render/testing/servers.ts'
import type { Endpoint } from '../../../packages/domain/vpn/endpoint.ts'
import { freePort } from '../ports.ts'
import { startTethered } from '../tethered.ts'
import { startTlsSite } from './tls-site.ts'
import { startDownload, type XrayClient } from './xray-client.ts'

/** An Xray that serves the other side of every sample endpoint, and the site that answers behind it. */
export interface ServedEndpoints {
  /** The endpoint as it is reached here. */
  readonly here: (name: string, endpoint: Endpoint) => Endpoint
  readonly stop: () => Promise<void>
}

export const startServedEndpoints = async (binary: string): Promise<ServedEndpoints> => {
  const site = await startTlsSite(binary)
  const ports = new Map<string, number>()
  const inbounds = []
  for (const { name, inbound } of servers) {
    const port = await freePort()
    ports.set(name, port)
    inbounds.push({ listen: '127.0.0.1', port, ...inbound(site.port) })
  }
  // Whatever a client asks for, it is the site that answers: WireGuard would not carry loopback addresses.
  const redirect = `127.0.0.1:${site.port}`
  const outbounds = [{ protocol: 'freedom', settings: { redirect, finalRules: [{ action: 'allow' }] } }]
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-outbound-server-'))
  const config = join(folder, 'server.json')
  await writeFile(config, JSON.stringify({ log: { loglevel: 'warning' }, inbounds, outbounds }))
  const server = await startTethered([binary, 'run', '-c', config], { folder, signal: 'TERM' })
  return {
    here: (name, endpoint) => ({ ...endpoint, host: '127.0.0.1', port: ports.get(name) ?? 0 }),
    stop: async () => {
      await server.stop()
      await site.close()
    },
  }
}

/** Bytes that come through the client, which is closed then; 0 when none do in time. */
export const answerBytes = async (client: XrayClient, timeoutMs: number): Promise<number> => {
  const anywhere = { ...client, open: (_host: string, port: number) => client.open('192.0.2.1', port) }
  const download = await startDownload(anywhere, 443, '/bytes/1000')
  const timer = setTimeout(() => download.close(), timeoutMs)
  const bytes = await download.ended
  clearTimeout(timer)
  await client.close()
  return bytes
}
