import type { Hysteria2Link, Link, Security, Transport, WireguardLink } from '../links.ts'

/** The outbound that an Xray client is given for a link. */

const securitySettings = (security: Security, host: string): object => {
  const { fingerprint } = security
  if (security.kind === 'reality') {
    const { publicKey, shortId, spiderX } = security
    // Without a name the client shows none when its server's address is an IP address.
    const serverName = security.serverName ?? host
    return {
      security: 'reality',
      realitySettings: { serverName, fingerprint, publicKey, shortId, spiderX },
    }
  }
  const { serverName, alpn, pinSha256 } = security
  return {
    security: 'tls',
    tlsSettings: {
      fingerprint,
      ...(serverName !== null && { serverName }),
      ...(alpn.length > 0 && { alpn }),
      ...(pinSha256 !== null && { pinnedPeerCertSha256: pinSha256 }),
    },
  }
}

const transportSettings = (transport: Transport): object => {
  switch (transport.kind) {
    case 'tcp':
      return { network: 'tcp' }
    case 'xhttp': {
      const { path, mode, host } = transport
      return { network: 'xhttp', xhttpSettings: { path, mode, ...(host && { host }) } }
    }
    case 'grpc':
      return { network: 'grpc', grpcSettings: { serviceName: transport.serviceName } }
    case 'ws':
    case 'httpupgrade': {
      const { kind, path, host } = transport
      return { network: kind, [`${kind}Settings`]: { path, ...(host && { host }) } }
    }
  }
}

const stream = (link: { host: string; transport: Transport; security: Security }) => ({
  streamSettings: { ...transportSettings(link.transport), ...securitySettings(link.security, link.host) },
})

const hysteria2 = ({ host, port, auth, obfsPassword, serverName, pinSha256 }: Hysteria2Link): object => ({
  protocol: 'hysteria',
  settings: { version: 2, address: host, port },
  streamSettings: {
    network: 'hysteria',
    hysteriaSettings: { version: 2, auth },
    security: 'tls',
    tlsSettings: {
      serverName: serverName ?? host,
      alpn: ['h3'],
      ...(pinSha256 !== null && { pinnedPeerCertSha256: pinSha256 }),
    },
    ...(obfsPassword !== null && {
      finalmask: { udp: [{ type: 'salamander', settings: { password: obfsPassword } }] },
    }),
  },
})

const wireguard = (link: WireguardLink): object => ({
  protocol: 'wireguard',
  settings: {
    secretKey: link.privateKey,
    address: link.addresses,
    peers: [
      {
        endpoint: `${link.host}:${link.port}`,
        publicKey: link.publicKey,
        ...(link.presharedKey !== null && { preSharedKey: link.presharedKey }),
      },
    ],
    mtu: link.mtu,
    ...(link.reserved.length > 0 && { reserved: link.reserved }),
    noKernelTun: true,
  },
})

export const xrayOutbound = (link: Link): object => {
  switch (link.protocol) {
    case 'vless': {
      const user = { id: link.uuid, encryption: 'none', ...(link.flow && { flow: link.flow }) }
      const server = { address: link.host, port: link.port, users: [user] }
      return { protocol: 'vless', settings: { vnext: [server] }, ...stream(link) }
    }
    case 'trojan': {
      const server = { address: link.host, port: link.port, password: link.password }
      return { protocol: 'trojan', settings: { servers: [server] }, ...stream(link) }
    }
    case 'shadowsocks': {
      const { host, port, method, password } = link
      return { protocol: 'shadowsocks', settings: { servers: [{ address: host, port, method, password }] } }
    }
    case 'hysteria2':
      return hysteria2(link)
    case 'wireguard':
      return wireguard(link)
  }
}
