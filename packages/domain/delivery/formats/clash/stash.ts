import type { Security, WireguardEndpoint } from '../../../vpn/endpoint.ts'
import { keepaliveSeconds } from '../../render/conf.ts'
import type { Entry } from '../entry.ts'
import { type ClashProxy, mihomoProxy, server } from './mihomo.ts'

/** The same as mihomo in Stash's words, without what Stash does not know. */

const wireguard = (endpoint: WireguardEndpoint): ClashProxy => ({
  type: 'wireguard',
  ...server(endpoint),
  ip: endpoint.address,
  'private-key': endpoint.privateKey,
  'public-key': endpoint.publicKey,
  'preshared-key': endpoint.presharedKey,
  mtu: endpoint.mtu,
  keepalive: keepaliveSeconds,
  ...(endpoint.dns.length > 0 && { dns: endpoint.dns }),
})

/** A certificate is pinned by another word; one that is not sent a name must have a pin, or nobody says whose it is. */
const reworded = (proxy: ClashProxy | null): ClashProxy | null => {
  if (proxy === null || 'name-cert-verify' in proxy) return null
  const { fingerprint, ...rest } = proxy
  return fingerprint === undefined ? rest : { ...rest, 'server-cert-fingerprint': fingerprint }
}

const isReality = (security: Security): boolean => security.kind === 'reality'

/** Null for what Stash cannot speak: REALITY over anything but TCP, XHTTP, HTTPUpgrade, AmneziaWG. */
export const stashProxy = (entry: Entry): ClashProxy | null => {
  switch (entry.protocol) {
    case 'vless': {
      const { kind } = entry.transport
      if (kind === 'xhttp' || kind === 'httpupgrade') return null
      return isReality(entry.security) && kind !== 'tcp' ? null : reworded(mihomoProxy(entry))
    }
    case 'trojan': {
      if (isReality(entry.security)) return null
      const { 'client-fingerprint': _unknown, tls: _always, ...rest } = mihomoProxy(entry) ?? {}
      return reworded(rest)
    }
    case 'hysteria2': {
      const { password, alpn: _always, ...rest } = mihomoProxy(entry) ?? {}
      return reworded({ ...rest, auth: password })
    }
    case 'wireguard':
      return entry.awg === null ? wireguard(entry) : null
    default:
      return mihomoProxy(entry)
  }
}
