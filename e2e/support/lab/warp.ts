import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { RelayInput } from './contracts.ts'
import type { LabProcess } from './lab-process.ts'
import { addresses, type Lab } from './namespaces.ts'

/** Stands in for Cloudflare's WARP: the registrar, and the servers at their own address. */

const warpPort = 2408
const serverPort = 2409

export interface WireguardKeys {
  /** Both Base64. */
  readonly privateKey: string
  readonly publicKey: string
}

export const wireguardKeys = (): WireguardKeys => {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  const standard = (text: string): string => Buffer.from(text, 'base64url').toString('base64')
  return { privateKey: standard(d), publicKey: standard(x) }
}

export interface WarpAccount {
  readonly address: string
  readonly reserved: readonly number[]
}

const config = (keys: WireguardKeys, accounts: ReadonlyMap<string, WarpAccount>) => ({
  log: { loglevel: 'warning' },
  inbounds: [
    {
      listen: '127.0.0.1',
      port: serverPort,
      protocol: 'wireguard',
      settings: {
        secretKey: keys.privateKey,
        address: ['172.16.0.1/32'],
        peers: [...accounts].map(([publicKey, { address }]) => ({
          publicKey,
          allowedIPs: [`${address}/32`],
        })),
        mtu: 1280,
      },
    },
  ],
  outbounds: [
    {
      protocol: 'freedom',
      // Sites see by this address which traffic came through WARP.
      sendThrough: addresses.warp,
      settings: { finalRules: [{ action: 'allow' }] },
    },
  ],
})

export class Warp {
  readonly keys = wireguardKeys()
  readonly endpoint = `${addresses.warp}:${warpPort}`
  readonly #lab: Lab
  readonly #xray: string
  readonly #accounts = new Map<string, WarpAccount>()
  readonly #registrar: Server
  #relay: LabProcess | undefined
  #server: LabProcess | undefined

  private constructor(lab: Lab, xray: string) {
    this.#lab = lab
    this.#xray = xray
    this.#registrar = createServer((request, response) => {
      request.setEncoding('utf8')
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', async () => {
        const { key } = JSON.parse(body) as { key: string }
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(this.#registration(await this.register(key))))
      })
    })
  }

  static async open(lab: Lab, xray: string): Promise<Warp> {
    const warp = new Warp(lab, xray)
    warp.#registrar.listen(0, '127.0.0.1')
    await once(warp.#registrar, 'listening')
    const input: RelayInput = {
      listen: { address: addresses.warp, port: warpPort },
      to: { address: '127.0.0.1', port: serverPort },
    }
    warp.#relay = lab.program(lab.place('internet'), 'reserved-relay', input)
    await warp.#relay.until(/listening/)
    return warp
  }

  /** The service's WARP_URL. */
  get url(): string {
    return `http://127.0.0.1:${(this.#registrar.address() as AddressInfo).port}`
  }

  /** Every caller so far, with the three bytes that mark it. */
  get marks(): { readonly peer: string; readonly reserved: readonly number[] }[] {
    return this.#relay?.lines() ?? []
  }

  async register(publicKey: string): Promise<WarpAccount> {
    const number = this.#accounts.size + 2
    const account = { address: `172.16.0.${number}`, reserved: [number, 200, 17] }
    this.#accounts.set(publicKey, account)
    await this.#server?.stop()
    const file = join(this.#lab.directory, 'warp.json')
    await writeFile(file, JSON.stringify(config(this.keys, this.#accounts)))
    this.#server = this.#lab.run(this.#lab.place('internet'), this.#xray, ['run', '-c', file])
    await this.#server.until(/Xray .* started/)
    return account
  }

  async close(): Promise<void> {
    this.#registrar.closeAllConnections()
    this.#registrar.close()
    await Promise.all([this.#relay?.stop(), this.#server?.stop()])
  }

  #registration({ address, reserved }: WarpAccount): object {
    const endpoint = { v4: `${addresses.warp}:0`, host: `engage.cloudflareclient.com:${warpPort}` }
    return {
      config: {
        client_id: Buffer.from(reserved).toString('base64'),
        interface: { addresses: { v4: address } },
        peers: [{ public_key: this.keys.publicKey, endpoint }],
      },
    }
  }
}
