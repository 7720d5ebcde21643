import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { WireguardEndpoint } from '../../vpn/endpoint.ts'
import { authority } from './url-parts.ts'

export const allTraffic = ['0.0.0.0/0', '::/0']
export const keepaliveSeconds = 25

/** The parameters as AmneziaWG's files and JSON call them. */
export const awgFields = (awg: AwgParameters): [name: string, value: string][] => [
  ['Jc', String(awg.jc)],
  ['Jmin', String(awg.jmin)],
  ['Jmax', String(awg.jmax)],
  ['S1', String(awg.s1)],
  ['S2', String(awg.s2)],
  ['S3', String(awg.s3)],
  ['S4', String(awg.s4)],
  ['H1', String(awg.h1)],
  ['H2', String(awg.h2)],
  ['H3', String(awg.h3)],
  ['H4', String(awg.h4)],
]

const section = (name: string, fields: readonly (readonly [name: string, value: string])[]): string =>
  [`[${name}]`, ...fields.map(([field, value]) => `${field} = ${value}`), ''].join('\n')

/** The .conf text that WireGuard and AmneziaWG clients import. */
export const wireguardConf = (endpoint: WireguardEndpoint): string => {
  const own = section('Interface', [
    ['PrivateKey', endpoint.privateKey],
    ['Address', `${endpoint.address}/32`],
    ...(endpoint.dns.length === 0 ? [] : [['DNS', endpoint.dns.join(', ')] as const]),
    ['MTU', String(endpoint.mtu)],
    ...(endpoint.awg === null ? [] : awgFields(endpoint.awg)),
  ])
  const peer = section('Peer', [
    ['PublicKey', endpoint.publicKey],
    ['PresharedKey', endpoint.presharedKey],
    ['AllowedIPs', allTraffic.join(', ')],
    ['Endpoint', authority(endpoint)],
    ['PersistentKeepalive', String(keepaliveSeconds)],
  ])
  return `${own}\n${peer}`
}
