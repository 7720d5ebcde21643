import type { Endpoint } from '../../vpn/endpoint.ts'
import { amneziaLink } from './amnezia.ts'
import { hysteria2Link } from './hysteria2.ts'
import { mtprotoLink } from './mtproto.ts'
import { proxyLink } from './proxy.ts'
import { shadowsocksLink } from './shadowsocks.ts'
import { trojanLink } from './trojan.ts'
import { vlessLink } from './vless.ts'
import { wireguardLink } from './wireguard.ts'

/** The share link that clients import, by protocol. */
export const connectionUrl = (endpoint: Endpoint): string => {
  switch (endpoint.protocol) {
    case 'vless':
      return vlessLink(endpoint)
    case 'trojan':
      return trojanLink(endpoint)
    case 'shadowsocks':
      return shadowsocksLink(endpoint)
    case 'hysteria2':
      return hysteria2Link(endpoint)
    case 'wireguard':
      return endpoint.awg === null ? wireguardLink(endpoint) : amneziaLink({ ...endpoint, awg: endpoint.awg })
    case 'http':
    case 'socks5':
      return proxyLink(endpoint)
    case 'mtproto':
      return mtprotoLink(endpoint)
  }
}
