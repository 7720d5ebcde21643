import type { Security, Transport } from '../../vpn/endpoint.ts'
import { offeredAlpn } from './client-tls.ts'
import type { Parameter } from './url-parts.ts'

/** What vless:// and trojan:// say in the same words: how the stream is carried and secured. */

const orNull = (text: string): string | null => (text === '' ? null : text)

const transportParameters = (transport: Transport): Parameter[] => {
  switch (transport.kind) {
    case 'tcp':
      return [
        ['type', 'tcp'],
        ['headerType', 'none'],
      ]
    case 'xhttp':
      return [
        ['type', 'xhttp'],
        ['path', transport.path],
        ['mode', transport.mode],
      ]
    case 'grpc':
      return [
        ['type', 'grpc'],
        ['serviceName', transport.serviceName],
        ['mode', 'gun'],
      ]
    case 'ws':
    case 'httpupgrade':
      return [
        ['type', transport.kind],
        ['path', transport.path],
        ['host', orNull(transport.host)],
      ]
  }
}

const securityParameters = (security: Security, transport: Transport): Parameter[] => {
  const common: Parameter[] = [
    ['security', security.kind],
    ['sni', security.serverName],
    ['fp', security.fingerprint],
  ]
  switch (security.kind) {
    case 'reality':
      return [...common, ['pbk', security.publicKey], ['sid', security.shortId], ['spx', '/']]
    case 'tls':
      return [
        ...common,
        ['alpn', orNull(offeredAlpn(security.alpn, transport).join(','))],
        ['pcs', security.pinSha256],
      ]
  }
}

export const streamParameters = (transport: Transport, security: Security): Parameter[] => [
  ...transportParameters(transport),
  ...securityParameters(security, transport),
]
