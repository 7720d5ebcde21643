import { createHash, createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import type { Security, Transport, VlessEndpoint } from '../endpoint.ts'
import type { XrayInstance, XrayStream } from './xray-json.ts'

/** How to reach a personal instance, read from its own JSON, so that link and server cannot disagree. */

const pkcs8Head = Buffer.from('302e020100300506032b656e04220420', 'hex')
const spkiHeadBytes = 12

/** The X25519 public key of a private one; both 32 bytes in base64url without padding. */
export const publicKeyOf = (privateKey: string): string => {
  const der = Buffer.concat([pkcs8Head, Buffer.from(privateKey, 'base64url')])
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
  return key.export({ format: 'der', type: 'spki' }).subarray(spkiHeadBytes).toString('base64url')
}

/** SHA-256 of a PEM certificate in hex, as clients pin it. */
export const pinOf = (certificate: string): string =>
  createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex')

export interface InstancePlace {
  readonly title: string
  readonly host: string
  readonly port: number
  readonly fingerprint: string
  /** For TLS with the server's own certificate. */
  readonly serverName: string
  readonly serverPin: string | null
  readonly hidesName: boolean
}

const transportOf = (stream: XrayStream): Transport => {
  switch (stream.network) {
    case 'xhttp':
      return {
        kind: 'xhttp',
        path: stream.xhttpSettings?.path ?? '/',
        mode: stream.xhttpSettings?.mode ?? 'auto',
      }
    case 'grpc':
      return { kind: 'grpc', serviceName: stream.grpcSettings?.serviceName ?? '' }
    case 'ws':
      return { kind: 'ws', path: stream.wsSettings?.path ?? '/', host: stream.wsSettings?.host ?? '' }
    case 'httpupgrade':
      return {
        kind: 'httpupgrade',
        path: stream.httpupgradeSettings?.path ?? '/',
        host: stream.httpupgradeSettings?.host ?? '',
      }
    default:
      return { kind: 'tcp' }
  }
}

const securityOf = (stream: XrayStream, place: InstancePlace): Security => {
  const { fingerprint } = place
  const { realitySettings: reality, tlsSettings: tls } = stream
  if (reality && stream.security === 'reality') {
    return {
      kind: 'reality',
      serverName: reality.serverNames.find((name) => name !== '') ?? null,
      publicKey: publicKeyOf(reality.privateKey),
      shortId: reality.shortIds[0] ?? '',
      fingerprint,
    }
  }
  const own = tls?.certificates?.[0]?.certificate.join('\n')
  return {
    kind: 'tls',
    serverName: place.hidesName ? null : (tls?.serverName ?? place.serverName),
    fingerprint,
    alpn: tls?.alpn ?? [],
    pinSha256: own === undefined ? place.serverPin : pinOf(own),
  }
}

export const instanceEndpoint = (instance: XrayInstance, place: InstancePlace): VlessEndpoint => {
  const [{ settings, streamSettings }] = instance.inbounds
  const client = settings.clients[0]
  return {
    protocol: 'vless',
    title: place.title,
    host: place.host,
    port: place.port,
    uuid: client?.id ?? '',
    flow: client?.flow === 'xtls-rprx-vision' ? 'xtls-rprx-vision' : '',
    transport: transportOf(streamSettings),
    security: securityOf(streamSettings, place),
  }
}
