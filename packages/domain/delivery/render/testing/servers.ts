import { generateKeyPairSync } from 'node:crypto'
import { selfSignedCertificate } from '../../../vpn/certificate.ts'
import type { Endpoint, Security, Transport } from '../../../vpn/endpoint.ts'
import { pinOf } from '../../../vpn/engine/instance-endpoint.ts'
import * as samples from './endpoints.ts'

/** Endpoints together with the other side, as an Xray server would be configured for them. */

const { certificate, key } = selfSignedCertificate({
  serverName: 'vpn.example.com',
  notBefore: Date.UTC(2025, 0) / 1000,
  days: 36_500,
  keyPair: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  serial: '01',
})
export const pinned: Security = { ...samples.tls, pinSha256: pinOf(certificate) }

const lines = (pem: string): string[] => pem.trim().split('\n')
const serverTls = {
  security: 'tls',
  tlsSettings: {
    alpn: ['h2', 'http/1.1'],
    certificates: [{ certificate: lines(certificate), key: lines(key) }],
  },
}

const realityKey = 'dwdtCnMYpX08FsFyUbJmRd9ML4frwJkqsXf7pR25LCo'
const serverReality = (sitePort: number, serverName: string) => ({
  security: 'reality',
  realitySettings: {
    target: `127.0.0.1:${sitePort}`,
    serverNames: [serverName],
    privateKey: realityKey,
    shortIds: [samples.reality.shortId],
  },
})

const x25519 = () => {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  const standard = (text: string): string => Buffer.from(text, 'base64url').toString('base64')
  return { privateKey: standard(d), publicKey: standard(x) }
}
const [wireguardServer, wireguardClient] = [x25519(), x25519()]

type Inbound = (sitePort: number) => object
export interface Served {
  readonly name: string
  readonly endpoint: Endpoint
  readonly inbound: Inbound
}

const vlessRow = (
  name: string,
  transport: Transport,
  security: Security,
  stream: Inbound,
  flow = '',
): Served => ({
  name,
  endpoint: { ...samples.vless, flow: flow === '' ? '' : 'xtls-rprx-vision', transport, security },
  inbound: (sitePort) => ({
    protocol: 'vless',
    settings: { clients: [{ id: samples.vless.uuid, flow }], decryption: 'none' },
    streamSettings: stream(sitePort),
  }),
})
const trojanRow = (name: string, security: Security, stream: Inbound): Served => ({
  name,
  endpoint: { ...samples.trojan, security },
  inbound: (sitePort) => ({
    protocol: 'trojan',
    settings: { clients: [{ password: samples.trojan.password }] },
    streamSettings: stream(sitePort),
  }),
})

const named: Inbound = (sitePort) => serverReality(sitePort, 'www.example.com')
const nameless: Inbound = (sitePort) => serverReality(sitePort, '')
export const withoutName = { ...samples.reality, serverName: null, fingerprint: 'qq' }
const xhttp: Transport = { kind: 'xhttp', path: '/x', mode: 'auto' }
const grpc: Transport = { kind: 'grpc', serviceName: 'svc' }
const ws: Transport = { kind: 'ws', path: '/w', host: 'h.example.com' }
const httpupgrade: Transport = { kind: 'httpupgrade', path: '/u', host: '' }
const [serverKey, userKey] = samples.shadowsocks2022.password.split(':')
const accounts = [{ user: samples.http.user, pass: samples.http.password }]

export const servers: readonly Served[] = [
  vlessRow('vless, REALITY, vision', { kind: 'tcp' }, samples.reality, named, 'xtls-rprx-vision'),
  vlessRow('vless, REALITY without a name', { kind: 'tcp' }, withoutName, nameless, 'xtls-rprx-vision'),
  vlessRow('vless, REALITY, xhttp', xhttp, samples.reality, (sitePort) => ({
    network: 'xhttp',
    xhttpSettings: { path: '/x' },
    ...named(sitePort),
  })),
  vlessRow('vless, REALITY, grpc', grpc, samples.reality, (sitePort) => ({
    network: 'grpc',
    grpcSettings: { serviceName: 'svc' },
    ...named(sitePort),
  })),
  vlessRow('vless, TLS, vision', { kind: 'tcp' }, pinned, () => serverTls, 'xtls-rprx-vision'),
  vlessRow('vless, TLS without a name', { kind: 'tcp' }, { ...pinned, serverName: null }, () => serverTls),
  vlessRow('vless, TLS, xhttp', xhttp, pinned, () => ({
    network: 'xhttp',
    xhttpSettings: { path: '/x' },
    ...serverTls,
  })),
  vlessRow('vless, TLS, ws', ws, pinned, () => ({
    network: 'ws',
    wsSettings: { path: '/w', host: 'h.example.com' },
    ...serverTls,
  })),
  vlessRow('vless, TLS, httpupgrade', httpupgrade, pinned, () => ({
    network: 'httpupgrade',
    httpupgradeSettings: { path: '/u' },
    ...serverTls,
  })),
  trojanRow('trojan, TLS', pinned, () => serverTls),
  trojanRow('trojan, REALITY', samples.reality, named),
  {
    name: 'outline',
    endpoint: samples.outline,
    inbound: () => ({
      protocol: 'shadowsocks',
      settings: { clients: [{ method: samples.outline.method, password: samples.outline.password }] },
    }),
  },
  {
    name: 'shadowsocks 2022',
    endpoint: samples.shadowsocks2022,
    inbound: () => ({
      protocol: 'shadowsocks',
      settings: {
        method: samples.shadowsocks2022.method,
        password: serverKey,
        clients: [{ password: userKey, email: 'c1' }],
      },
    }),
  },
  {
    name: 'hysteria2',
    endpoint: { ...samples.hysteria2, pinSha256: pinOf(certificate) },
    inbound: () => ({
      protocol: 'hysteria',
      settings: { version: 2, clients: [{ auth: samples.hysteria2.auth, email: 'c1' }] },
      streamSettings: {
        network: 'hysteria',
        hysteriaSettings: { version: 2 },
        security: 'tls',
        tlsSettings: { ...serverTls.tlsSettings, alpn: ['h3'] },
        finalmask: {
          udp: [{ type: 'salamander', settings: { password: samples.hysteria2.obfsPassword } }],
        },
      },
    }),
  },
  {
    name: 'wireguard',
    endpoint: {
      ...samples.wireguard,
      privateKey: wireguardClient.privateKey,
      publicKey: wireguardServer.publicKey,
    },
    inbound: () => ({
      protocol: 'wireguard',
      settings: {
        secretKey: wireguardServer.privateKey,
        address: ['10.8.0.1/32'],
        peers: [
          {
            publicKey: wireguardClient.publicKey,
            preSharedKey: samples.wireguard.presharedKey,
            allowedIPs: ['10.8.0.2/32'],
          },
        ],
        mtu: 1420,
        noKernelTun: true,
      },
    }),
  },
  { name: 'http', endpoint: samples.http, inbound: () => ({ protocol: 'http', settings: { accounts } }) },
  {
    name: 'socks5',
    endpoint: samples.socks5,
    inbound: () => ({ protocol: 'socks', settings: { auth: 'password', accounts } }),
  },
]
