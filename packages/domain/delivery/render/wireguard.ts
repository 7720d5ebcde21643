import type { WireguardEndpoint } from '../../vpn/endpoint.ts'
import { authority, encoded, queryOf } from './url-parts.ts'

export const wireguardLink = (endpoint: WireguardEndpoint): string => {
  const query = queryOf([
    ['publickey', endpoint.publicKey],
    ['presharedkey', endpoint.presharedKey],
    ['address', `${endpoint.address}/32`],
    ['mtu', String(endpoint.mtu)],
  ])
  return `wireguard://${encoded(endpoint.privateKey)}@${authority(endpoint)}?${query}#${encoded(endpoint.title)}`
}
