import type { FoundCertificate } from '../contracts.ts'
import type { Hysteria2Link, Link, Security, Transport, WireguardLink } from '../links.ts'

/** What sing-box is given for a link: an outbound, or an endpoint for WireGuard. */
export interface SingBoxEntry {
  readonly section: 'outbounds' | 'endpoints'
  readonly entry: object
}

/** sing-box has no XHTTP. */
export const speaksSingBox = (link: Link): boolean =>
  !('transport' in link) || link.transport.kind !== 'xhttp'

/** sing-box pins public keys and not certificates, so a pinned certificate is fetched, compared and then trusted. */
export const pinOf = (link: Link): string | null =>
  'security' in link && link.security.kind === 'tls' ? link.security.pinSha256 : null

const tls = (security: Security, host: string, pinned: FoundCertificate | null): object => {
  const utls = { enabled: true, fingerprint: security.fingerprint }
  if (security.kind === 'reality') {
    const reality = { enabled: true, public_key: security.publicKey, short_id: security.shortId }
    return { enabled: true, server_name: security.serverName ?? host, utls, reality }
  }
  return {
    enabled: true,
    server_name: security.serverName ?? pinned?.name ?? host,
    ...(security.serverName === null && { disable_sni: true }),
    ...(security.alpn.length > 0 && { alpn: security.alpn }),
    ...(pinned && { certificate: pinned.pem.trim().split('\n') }),
    utls,
  }
}

const transportEntry = (transport: Transport): object => {
  switch (transport.kind) {
    case 'tcp':
      return {}
    case 'grpc':
      return { transport: { type: 'grpc', service_name: transport.serviceName } }
    case 'ws':
      return {
        transport: {
          type: 'ws',
          path: transport.path,
          ...(transport.host && { headers: { Host: transport.host } }),
        },
      }
    case 'httpupgrade':
      return { transport: { type: 'httpupgrade', path: transport.path, host: transport.host } }
    case 'xhttp':
      throw new Error('sing-box has no XHTTP')
  }
}

const hysteria2 = (link: Hysteria2Link): object => ({
  type: 'hysteria2',
  password: link.auth,
  ...(link.obfsPassword !== null && { obfs: { type: 'salamander', password: link.obfsPassword } }),
  tls: {
    enabled: true,
    alpn: ['h3'],
    server_name: link.serverName ?? link.host,
    // Its certificate is shown over QUIC only, where nothing here can fetch it to compare with the pin.
    ...(link.pinSha256 !== null && { insecure: true }),
  },
})

const wireguard = (link: WireguardLink): object => ({
  type: 'wireguard',
  address: link.addresses,
  private_key: link.privateKey,
  mtu: link.mtu,
  peers: [
    {
      address: link.host,
      port: link.port,
      public_key: link.publicKey,
      ...(link.presharedKey !== null && { pre_shared_key: link.presharedKey }),
      ...(link.reserved.length > 0 && { reserved: link.reserved }),
      allowed_ips: ['0.0.0.0/0', '::/0'],
    },
  ],
})

const outboundEntry = (link: Exclude<Link, WireguardLink>, pinned: FoundCertificate | null): object => {
  switch (link.protocol) {
    case 'vless': {
      const own = { type: 'vless', uuid: link.uuid, ...(link.flow && { flow: link.flow }) }
      return { ...own, tls: tls(link.security, link.host, pinned), ...transportEntry(link.transport) }
    }
    case 'trojan': {
      const own = { type: 'trojan', password: link.password }
      return { ...own, tls: tls(link.security, link.host, pinned), ...transportEntry(link.transport) }
    }
    case 'shadowsocks':
      return { type: 'shadowsocks', method: link.method, password: link.password }
    case 'hysteria2':
      return hysteria2(link)
  }
}

export const singBoxEntry = (link: Link, pinned: FoundCertificate | null): SingBoxEntry => {
  if (link.protocol === 'wireguard') return { section: 'endpoints', entry: wireguard(link) }
  const server = { server: link.host, server_port: link.port }
  return { section: 'outbounds', entry: { ...outboundEntry(link, pinned), ...server } }
}
