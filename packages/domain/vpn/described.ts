import type { ServerConfig } from '@sallyport/contract/customer/custom-subscriptions/shapes'
import type { Endpoint } from './endpoint.ts'

type Way = Pick<ServerConfig, 'transport' | 'security'>

const wayOf = (endpoint: Endpoint): Way => {
  switch (endpoint.protocol) {
    case 'vless':
      return { transport: endpoint.transport.kind, security: endpoint.security.kind }
    case 'trojan':
      return { transport: 'tcp', security: endpoint.security.kind }
    case 'hysteria2':
      return { transport: 'udp', security: 'tls' }
    case 'wireguard':
      return { transport: 'udp', security: 'none' }
    case 'shadowsocks':
    case 'http':
    case 'socks5':
    case 'mtproto':
      return { transport: 'tcp', security: 'none' }
  }
}

/** Where an endpoint is and what it speaks, without anything that opens it. */
export const described = (protocol: ServerConfig['protocol'], endpoint: Endpoint): ServerConfig => ({
  protocol,
  host: endpoint.host,
  port: endpoint.port,
  ...wayOf(endpoint),
})
