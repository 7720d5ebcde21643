import type { Measure } from './statistics.ts'

/** What is sold and carried, each once: a way into Xray, AmneziaWG or mtg that no other of these takes. */

export interface Offer {
  readonly name: string
  readonly protocol: string
  readonly options?: readonly string[]
  /** A proxy is added to a configuration of this protocol. */
  readonly besides?: string
  readonly client: 'xray' | 'amneziawg' | 'http' | 'socks5' | 'telegram'
  /** A TLS site inside, as nearly all sites are: Vision treats it otherwise than what it cannot recognise. */
  readonly isTlsInside?: true
  /** Many customers come in at one port, and to one program. */
  readonly isShared?: true
  /** Why it is below what is wanted, where that is known and cannot be helped; docs/reliability.md has the figures. */
  readonly reasons?: Readonly<Partial<Record<Measure, string>>>
  /** Reasons that hold where many share the port, and not for one. */
  readonly reasonsOfMany?: Readonly<Partial<Record<Measure, string>>>
}

const extended = 'use_extended_settings'
const personal = { protocol: 'vless', client: 'xray' } as const

const byTrial =
  'nothing in the first packet names the customer, so that the engine tries the keys of all at the port'
const triedInTurn = { connections: byTrial, latency: byTrial }
const notSpliced = 'bytes that the kernel moves by itself are counted only at the end of a connection'
const written = 'the engine writes a line for each connection, which ends those of customers who are removed'
const listed = { connections: written, latency: written }
const countedLive = { down: notSpliced, up: notSpliced, ...listed }
const shared = { client: 'xray', isShared: true, reasons: listed } as const
const paced = { down: 'mtg waits between records for as long as chance wants, by hand as well' }

export const offers: readonly Offer[] = [
  { name: 'VLESS, REALITY, Vision', protocol: 'vless', isTlsInside: true, ...shared },
  { name: 'VLESS, REALITY, Vision, plain HTTP inside', protocol: 'vless', ...shared },
  { name: 'VLESS, REALITY', protocol: 'vless', options: ['disable_flow_reality'], ...shared },
  { name: 'VLESS 2410', protocol: 'vless-2410', isTlsInside: true, ...shared },
  { name: 'Trojan', protocol: 'trojan', ...shared },
  { name: 'Trojan 2901 (REALITY)', protocol: 'trojan-2901', ...shared },
  { name: 'Outline (Shadowsocks)', protocol: 'outline', reasonsOfMany: triedInTurn, ...shared },
  { name: 'Shadowsocks 2022', protocol: 'shadowsocks-2022', ...shared },
  { name: 'Hysteria2', protocol: 'hysteria2', ...shared },
  {
    name: 'WireGuard',
    protocol: 'wg',
    client: 'amneziawg',
    isShared: true,
  },
  {
    name: 'HTTP proxy',
    protocol: 'http',
    besides: 'vless',
    client: 'http',
    isShared: true,
    reasons: countedLive,
  },
  {
    name: 'SOCKS5 proxy',
    protocol: 'socks5',
    besides: 'vless',
    client: 'socks5',
    isShared: true,
    reasons: countedLive,
  },
  { name: 'own VLESS, REALITY, Vision', options: [extended], isTlsInside: true, ...personal },
  { name: 'own VLESS, REALITY, XHTTP', options: [extended, 'use_xhttp'], ...personal },
  { name: 'own VLESS, REALITY, gRPC', options: [extended, 'use_grpc'], ...personal },
  {
    name: 'own VLESS, TLS, Vision',
    options: [extended, 'disable_reality'],
    isTlsInside: true,
    ...personal,
  },
  { name: 'own VLESS, TLS, XHTTP', options: [extended, 'disable_reality', 'use_xhttp'], ...personal },
  { name: 'own VLESS, TLS, gRPC', options: [extended, 'disable_reality', 'use_grpc'], ...personal },
  { name: 'AmneziaWG 2', protocol: 'amnezia-wg-2', client: 'amneziawg' },
  { name: 'MTProto', protocol: 'mtproto', besides: 'vless', client: 'telegram', reasons: paced },
]
