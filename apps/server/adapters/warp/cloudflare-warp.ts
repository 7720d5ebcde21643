import { isIP } from 'node:net'
import type { WarpRegistrar, WarpRegistration } from '../../ports/warp.ts'

/** Registers WireGuard keys with Cloudflare WARP, as its own apps do. */

const timeoutMs = 10_000
const maxAnswerBytes = 64 * 1024
const keyPattern = /^[A-Za-z0-9+/]{43}=$/

interface Answer {
  readonly config?: {
    readonly client_id?: string
    readonly interface?: { readonly addresses?: { readonly v4?: string; readonly v6?: string } }
    readonly peers?: readonly {
      readonly public_key?: string
      readonly endpoint?: { readonly v4?: string; readonly host?: string }
    }[]
  }
}

const usualPort = 2408

const endpointOf = (text: string | undefined): string | undefined => {
  const [address = '', port = '0'] = (text ?? '').split(':')
  return isIP(address) === 4 ? `${address}:${Number(port) || usualPort}` : undefined
}

/** An answer of any other form is an error: nothing of it may reach a server's configuration. */
export const readRegistration = ({ config }: Answer): WarpRegistration => {
  const { v4 = '', v6 = '' } = config?.interface?.addresses ?? {}
  const peer = config?.peers?.[0]
  const reserved = [...Buffer.from(config?.client_id ?? '', 'base64')]
  if (isIP(v4) !== 4 || !keyPattern.test(peer?.public_key ?? '') || reserved.length !== 3) {
    throw new Error('the WARP registrar answered in an unknown form')
  }
  return {
    addresses: [`${v4}/32`, ...(isIP(v6) === 6 ? [`${v6}/128`] : [])],
    peerPublicKey: peer?.public_key ?? '',
    endpoint: endpointOf(peer?.endpoint?.v4),
    reserved,
  }
}

export class CloudflareWarp implements WarpRegistrar {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async register(publicKey: string): Promise<WarpRegistration> {
    const response = await fetch(`${this.#url}/reg`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'cf-client-version': 'a-6.30-3596' },
      body: JSON.stringify({
        key: publicKey,
        tos: new Date().toISOString(),
        type: 'PC',
        model: 'PC',
        name: 'sallyport',
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    if (!response.ok || text.length > maxAnswerBytes) {
      throw new Error(`the WARP registrar answered ${response.status}`)
    }
    return readRegistration(JSON.parse(text) as Answer)
  }
}
