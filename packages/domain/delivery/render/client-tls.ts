import { isIP } from 'node:net'
import type { Security, Transport } from '../../vpn/endpoint.ts'

/** REALITY clients have no switch for "no name", but an IP address in its place is never sent. */
export const shownName = (serverName: string | null, host: string): string =>
  serverName ?? (isIP(host) === 0 ? '0.0.0.0' : host)

/** WebSocket and HTTPUpgrade exist in HTTP/1.1 only; a client that offers h2 may be given it, and fails. */
export const offeredAlpn = (alpn: readonly string[], transport: Transport): readonly string[] =>
  transport.kind === 'ws' || transport.kind === 'httpupgrade'
    ? alpn.filter((name) => name === 'http/1.1')
    : alpn

export const plainTcp: Transport = { kind: 'tcp' }

export interface Secured {
  readonly host: string
  readonly security: Security
}
