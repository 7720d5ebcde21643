/** One neutral description of "how to reach this item"; everything a client is given is rendered from it. */

export interface RealitySecurity {
  readonly kind: 'reality'
  /** Name the client shows to onlookers; null sends none. */
  readonly serverName: string | null
  readonly publicKey: string
  readonly shortId: string
  readonly fingerprint: string
}

export interface VlessEndpoint {
  readonly protocol: 'vless'
  readonly title: string
  readonly host: string
  readonly port: number
  readonly uuid: string
  readonly flow: '' | 'xtls-rprx-vision'
  readonly security: RealitySecurity
}

export type Endpoint = VlessEndpoint

/** The first 16 of derived bytes, given in hex, as a version 4 UUID. */
export const uuidFromHex = (hex: string): string => {
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** IPv6 addresses stand in brackets wherever a port follows. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)
