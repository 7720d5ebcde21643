import { hash } from 'node:crypto'
import type { Endpoint, VlessEndpoint, WireguardEndpoint } from '../../../vpn/endpoint.ts'
import * as samples from '../../render/testing/endpoints.ts'
import { type Entry, notice } from '../entry.ts'

/** Every kind of endpoint, with a title of its own, and a notice among them. */

const { vless, trojan, reality, tls, pin } = samples
const pinned = { ...tls, pinSha256: pin }
const without = <Security extends object>(security: Security) => ({ ...security, serverName: null })
const over = (transport: VlessEndpoint['transport'], security: VlessEndpoint['security']): VlessEndpoint => ({
  ...vless,
  flow: '',
  transport,
  security,
})

const named: Readonly<Record<string, Endpoint>> = {
  'vless REALITY': vless,
  'vless REALITY without a name': { ...vless, security: without(reality) },
  'vless REALITY xhttp': over({ kind: 'xhttp', path: '/x', mode: 'auto' }, reality),
  'vless REALITY grpc': over({ kind: 'grpc', serviceName: 'svc' }, reality),
  'vless TLS': { ...vless, security: tls },
  'vless TLS without a name': { ...vless, host: 'vpn.example.com', security: without(tls) },
  'vless TLS pinned': { ...vless, security: without(pinned) },
  'vless TLS xhttp': over({ kind: 'xhttp', path: '/x', mode: 'auto' }, tls),
  'vless TLS ws': over({ kind: 'ws', path: '/w', host: 'h.example.com' }, tls),
  'vless TLS httpupgrade': over({ kind: 'httpupgrade', path: '/u', host: '' }, pinned),
  'trojan TLS': trojan,
  'trojan TLS pinned': { ...trojan, security: pinned },
  'trojan REALITY': { ...trojan, security: reality },
  outline: samples.outline,
  'shadowsocks 2022': samples.shadowsocks2022,
  hysteria2: samples.hysteria2,
  'hysteria2 pinned': { ...samples.hysteria2, host: '2001:db8::1', pinSha256: pin },
  wireguard: samples.wireguard,
  amneziawg: samples.amnezia,
  http: samples.http,
  socks5: samples.socks5,
  mtproto: samples.mtproto,
}

export const endpoints: readonly Endpoint[] = Object.entries(named).map(([title, endpoint]) => ({
  ...endpoint,
  title,
}))

export const everyEntry: readonly Entry[] = [...endpoints, notice('Опция: трафик израсходован')]

const hex = '0123456789abcdef'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const base64url = `${letters}-_`
const base64 = `${letters}+/`

/** A text that compresses no better than keys do, the same every time. */
const uniqueText = (name: string, length: number, alphabet: string): string =>
  [...hash('sha512', name, 'buffer').subarray(0, length)]
    .map((byte) => alphabet[byte % alphabet.length])
    .join('')

/** So many servers as a subscription may have, which differ as servers do. */
export const manyServers = (count: number): VlessEndpoint[] =>
  Array.from({ length: count }, (_, at) => ({
    ...vless,
    title: `🇩🇪 Германия #${at + 1}`,
    host: `203.0.113.${at + 1}`,
    uuid: uniqueText(`uuid ${at}`, 32, hex).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    security: {
      ...reality,
      publicKey: `${uniqueText(`key ${at}`, 42, base64url)}A`,
      shortId: uniqueText(`short ${at}`, 16, hex),
    },
  }))

/** Tunnels whose keys are their own: private, of the server and shared. */
export const manyTunnels = (count: number): WireguardEndpoint[] =>
  Array.from({ length: count }, (_, at) => {
    const key = (name: string) => `${uniqueText(`${name} ${at}`, 43, base64)}=`
    return {
      ...samples.amnezia,
      title: `🇩🇪 Германия #${at + 1}`,
      host: `203.0.113.${at + 1}`,
      address: `100.64.0.${at + 1}`,
      privateKey: key('private'),
      publicKey: key('public'),
      presharedKey: key('shared'),
    }
  })
