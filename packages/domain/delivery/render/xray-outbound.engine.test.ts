import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeWith, xrayPath } from '../../../../test/support/engines/engines.ts'
import {
  answerBytes,
  type ServedEndpoints,
  startServedEndpoints,
} from '../../../../test/support/engines/served-endpoints.ts'
import { startXrayClient } from '../../../../test/support/engines/xray-client.ts'
import { xray } from '../../../../test/support/pieces.ts'
import type { Endpoint } from '../../vpn/endpoint.ts'
import * as samples from './testing/endpoints.ts'
import { pinned, servers, withoutName } from './testing/servers.ts'
import { xrayOutbound } from './xray-outbound.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

describeWith(xray, 'Xray as a client', () => {
  const binary = xrayPath() ?? ''
  let directory: string
  let served: ServedEndpoints

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sallyport-outbound-'))
    served = await startServedEndpoints(binary)
  })
  afterAll(async () => {
    await served?.stop()
    await rm(directory, { recursive: true })
  })

  /** Bytes of an answer to this endpoint's client; 0 when there is none in time. */
  const carriedBytes = async (name: string, endpoint: Endpoint, timeoutMs: number): Promise<number> => {
    const outbound = xrayOutbound(served.here(name, endpoint)) ?? {}
    return answerBytes(await startXrayClient(binary, directory, outbound), timeoutMs)
  }

  test.each(servers)('$name is carried', async ({ name, endpoint }) => {
    await expect.poll(() => carriedBytes(name, endpoint, 10_000), { timeout: 40_000 }).toBeGreaterThan(1000)
  })

  test.each([
    'vless, TLS, vision',
    'trojan, TLS',
    'hysteria2',
  ])('%s: another certificate than the pinned one is refused', async (name) => {
    const endpoint = servers.find((server) => server.name === name)?.endpoint as Endpoint
    const forged =
      endpoint.protocol === 'hysteria2'
        ? { ...endpoint, pinSha256: samples.pin }
        : ({ ...endpoint, security: { ...pinned, pinSha256: samples.pin } } as Endpoint)
    expect(await carriedBytes(name, forged, 3000)).toBe(0)
  })

  const onlyTested: [string, Endpoint][] = [
    ['TLS by an authority', { ...samples.trojan, security: samples.tls }],
    [
      'TLS by an authority, without a name',
      { ...samples.trojan, host: 'vpn.example.com', security: { ...samples.tls, serverName: null } },
    ],
    [
      'REALITY at a name, without a name',
      { ...samples.vless, host: 'vpn.example.com', security: withoutName },
    ],
    ['hysteria2 by an authority', samples.hysteria2],
    ['IPv6', { ...samples.vless, host: '2001:db8::1' }],
    ['wireguard at an IPv6 address', { ...samples.wireguard, host: '2001:db8::1' }],
  ]
  test.each(onlyTested)('%s is accepted', async (_what, endpoint) => {
    const config = join(directory, 'tested.json')
    await writeFile(config, JSON.stringify({ outbounds: [xrayOutbound(endpoint)] }))
    const { stdout } = await promisify(execFile)(binary, ['run', '-test', '-c', config])
    expect(stdout).toContain('Configuration OK')
  })
})
