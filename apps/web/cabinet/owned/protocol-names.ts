/** As their apps write them: the same in every language. Of what nobody here knows yet, what the service calls it. */

const names = {
  vless: 'VLESS',
  trojan: 'Trojan',
  outline: 'Outline',
  hysteria: 'Hysteria 2',
  shadowsocks: 'Shadowsocks',
  w: 'WireGuard',
  amnezia: 'AmneziaWG',
  mtproto: 'MTProto',
}

export const protocolName = (protocol: string): string =>
  Object.entries(names).find(([start]) => protocol.startsWith(start))?.[1] ?? protocol.toUpperCase()
