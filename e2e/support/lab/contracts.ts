/** What the lab's programs are told when they are started, and what they say. */

export interface SiteInput {
  readonly addresses: readonly string[]
  /** TCP and UDP. */
  readonly port: number
  readonly tls?: { readonly port: number; readonly certificateFile: string; readonly keyFile: string }
}

export interface DnsInput {
  readonly addresses: readonly string[]
  readonly names: Readonly<Record<string, string>>
  readonly otherwise: string | null
}

/** One line of the resolver's output. */
export interface DnsQuestion {
  readonly resolver: string
  readonly peer: string
  readonly name: string
  readonly type: number
}

export interface RelayInput {
  readonly listen: { readonly address: string; readonly port: number }
  readonly to: { readonly address: string; readonly port: number }
}

export interface TelegramInput {
  readonly addresses: readonly string[]
  readonly port: number
}

export interface Socks {
  readonly host: string
  readonly port: number
  readonly user?: string
  readonly password?: string
}

interface Target {
  readonly host: string
  readonly port: number
  readonly timeoutMs: number
  readonly socks?: Socks
}

export interface TcpTask extends Target {
  readonly kind: 'tcp'
  readonly downBytes: number
  readonly upBytes: number
  /** Over TLS, naming this site. */
  readonly serverName?: string
}

export interface UdpTask extends Target {
  readonly kind: 'udp'
  readonly payload: string
}

export interface DnsTask extends Target {
  readonly kind: 'dns'
  readonly name: string
}

export interface CertificateTask extends Target {
  readonly kind: 'certificate'
  readonly serverName?: string
}

/** Sends these bytes, given in hex, and counts what comes back. */
export interface RawTask extends Target {
  readonly kind: 'raw'
  readonly payloadHex: string
}

export type TrafficTask = TcpTask | UdpTask | DnsTask | CertificateTask | RawTask

/** Not one exchange but one after another, on a connection that is kept. */
export interface SteadyTask {
  readonly host: string
  readonly port: number
  readonly socks?: Socks
  /** Of each answer. */
  readonly bytes: number
  /** From one answer to the next question. */
  readonly everyMs: number
}

/** One line of a kept connection: all that has come up to then. */
export interface SteadyStep {
  readonly bytes: number
  readonly atMs: number
}

export interface TcpResult {
  readonly bytes: number
  /** From which address the site was visited. */
  readonly peer: string
  /** From the first packet to the last. */
  readonly seconds: number
  /** From the first byte of the answer to the last. */
  readonly transferSeconds: number
}

export interface UdpResult {
  readonly peer: string
  readonly payload: string
}

export interface FoundCertificate {
  readonly pem: string
  readonly sha256: string
  readonly name: string
}

export interface TelegramTask {
  readonly host: string
  readonly port: number
  readonly secret: string
  readonly downBytes: number
  readonly upBytes: number
  readonly timeoutMs: number
}
