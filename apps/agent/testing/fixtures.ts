import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { Access, Inbound } from '@sallyport/contract/agent'
import { sleep } from '../backoff.ts'

const { privateKey } = generateKeyPairSync('x25519')
const { d: realityPrivateKey = '', x: realityPublicKey = '' } = privateKey.export({ format: 'jwk' })

export const access = (id: string, inbound = 'vless-1'): Access => ({
  id,
  revision: 1,
  inbound,
  account: { protocol: 'vless', uuid: randomUUID(), flow: 'xtls-rprx-vision' },
})

/** A REALITY inbound on loopback that borrows the site at `sitePort`. */
export const inboundOn = (port: number, sitePort: number, tag = 'vless-1'): Inbound => ({
  tag,
  protocol: 'vless',
  listen: '127.0.0.1',
  port,
  reality: {
    target: `127.0.0.1:${sitePort}`,
    server_names: ['localhost'],
    private_key: realityPrivateKey,
    short_ids: ['0123456789abcdef'],
  },
})

/** What a customer's client is told about the access. */
export const outboundFor = (inbound: Inbound, { account }: Access): object => ({
  protocol: 'vless',
  settings: {
    vnext: [
      {
        address: '127.0.0.1',
        port: inbound.port,
        users: [{ id: account.uuid, encryption: 'none', flow: account.flow }],
      },
    ],
  },
  streamSettings: {
    network: 'tcp',
    security: 'reality',
    realitySettings: {
      serverName: inbound.reality.server_names[0],
      fingerprint: 'chrome',
      publicKey: realityPublicKey,
      shortId: inbound.reality.short_ids[0],
    },
  },
})

export const until = async (what: () => boolean | Promise<boolean>, timeoutMs = 10_000): Promise<void> => {
  const deadline = Date.now() + timeoutMs
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error(`waited too long until ${what}`)
    await sleep(50)
  }
}
