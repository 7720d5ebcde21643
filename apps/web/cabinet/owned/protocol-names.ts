import type { Protocol } from '@sallyport/contract/shapes'

/** As their apps write them: the same in every language. Of what nobody here knows yet, what the service calls it. */

const names: Readonly<Record<Protocol | 'mtproto' | 'amneziawg' | 'wireguard' | 'shadowsocks', string>> = {
  vless: 'VLESS',
  'vless-2410': 'VLESS',
  trojan: 'Trojan',
  'trojan-2901': 'Trojan',
  outline: 'Outline',
  hysteria2: 'Hysteria 2',
  shadowsocks: 'Shadowsocks',
  'shadowsocks-2022': 'Shadowsocks',
  wg: 'WireGuard',
  wireguard: 'WireGuard',
  'amnezia-wg-2': 'AmneziaWG',
  amneziawg: 'AmneziaWG',
  mtproto: 'MTProto',
}

export const protocolName = (protocol: string): string =>
  (names as Readonly<Record<string, string>>)[protocol] ?? protocol.toUpperCase()
