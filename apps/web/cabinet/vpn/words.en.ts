/** Protocols and places, for people who never heard of them. */
export const words = {
  vless: 'VLESS',
  vless_text: 'Suits almost everyone: fast, and hard to tell from an ordinary website.',
  'vless-2410': 'VLESS with its own site',
  'vless-2410_text':
    'The same, hidden behind the server’s own site. Try it where plain VLESS does not connect.',
  'amnezia-wg-2': 'AmneziaWG',
  'amnezia-wg-2_text': 'WireGuard in disguise, for the AmneziaVPN app. Fast, and easy on the battery.',
  hysteria2: 'Hysteria 2',
  hysteria2_text: 'For bad connections: keeps its speed where data gets lost. Some networks block it.',
  trojan: 'Trojan',
  trojan_text: 'Looks like an ordinary website, and works in older apps too.',
  'trojan-2901': 'Trojan in disguise',
  'trojan-2901_text': 'Trojan that looks like someone else’s website. Try it where plain Trojan is blocked.',
  'shadowsocks-2022': 'Shadowsocks 2022',
  'shadowsocks-2022_text': 'Light and fast: for routers and weak devices. Easier to notice than VLESS.',
  outline: 'Outline',
  outline_text: 'For the Outline app: the simplest to set up, and blocked more often than others.',
  wg: 'WireGuard',
  wg_text: 'The fastest, built into many routers. Where VPNs are blocked it usually does not work.',
  recommended: 'recommended',
  delay: '≈ {ms} ms',
  nearest: 'nearest',
  delayHow:
    '“≈ ms” is how long a reply takes, estimated by the distance from your time zone. Lower is better.',
  measure: 'Measure it yourself',
  measureText:
    'Use this address with the ping command or an app that measures delay. Turn the VPN off first.',
  copyAddress: 'Copy the address',
} as const
