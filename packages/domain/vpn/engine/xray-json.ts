/** The parts of Xray's own JSON that a personal instance is made of, as the customer sees and edits it. */

export interface XrayVlessClient {
  readonly id: string
  readonly flow?: string
  readonly email?: string
  readonly level?: number
}

export interface XrayCertificate {
  readonly certificate: readonly string[]
  readonly key: readonly string[]
}

export interface XrayReality {
  readonly target: string
  readonly xver?: number
  readonly serverNames: readonly string[]
  readonly privateKey: string
  readonly shortIds: readonly string[]
  readonly [other: string]: unknown
}

export interface XrayTls {
  readonly serverName?: string
  readonly alpn?: readonly string[]
  readonly minVersion?: string
  readonly maxVersion?: string
  /** Without any, the server's own certificate is used. */
  readonly certificates?: readonly XrayCertificate[]
}

export interface XrayStream {
  readonly network?: string
  readonly security?: string
  readonly realitySettings?: XrayReality
  readonly tlsSettings?: XrayTls
  readonly xhttpSettings?: {
    readonly path?: string
    readonly mode?: string
    readonly [other: string]: unknown
  }
  readonly grpcSettings?: { readonly serviceName?: string; readonly [other: string]: unknown }
  readonly wsSettings?: { readonly path?: string; readonly host?: string; readonly [other: string]: unknown }
  readonly httpupgradeSettings?: {
    readonly path?: string
    readonly host?: string
    readonly [other: string]: unknown
  }
}

export interface XrayVlessInbound {
  readonly tag?: string
  readonly listen?: string
  readonly port?: number
  readonly protocol: 'vless'
  readonly settings: { readonly clients: readonly XrayVlessClient[]; readonly decryption: 'none' }
  readonly streamSettings: XrayStream
  readonly sniffing?: object
}

export interface XrayOutbound {
  readonly tag?: string
  readonly protocol: string
  readonly settings?: { readonly [name: string]: unknown }
  readonly streamSettings?: object
}

export interface XrayRule {
  readonly outboundTag: string
  readonly [matcher: string]: unknown
}

export interface XrayDns {
  readonly tag?: string
  readonly servers: readonly (string | { readonly address: string; readonly [other: string]: unknown })[]
  readonly queryStrategy?: string
}

/** Exactly one inbound; log, api, stats and policy belong to the agent. */
export interface XrayInstance {
  readonly dns?: XrayDns
  readonly inbounds: readonly [XrayVlessInbound]
  readonly outbounds: readonly XrayOutbound[]
  readonly routing: { readonly domainStrategy: string; readonly rules: readonly XrayRule[] }
}
