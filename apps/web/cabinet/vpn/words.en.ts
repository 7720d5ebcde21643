/** Protocols and places, for people who never heard of them. */
export const words = {
  vless: 'VLESS',
  vless_text: 'Suits almost everybody: fast, and hard to tell from an ordinary site.',
  'vless-2410': 'VLESS with its own site',
  'vless-2410_text':
    'The same, hidden behind the server’s own site. Try it where plain VLESS does not connect.',
  'amnezia-wg-2': 'AmneziaWG',
  'amnezia-wg-2_text': 'WireGuard in disguise, for the AmneziaVPN app. Fast, and easy on the battery.',
  hysteria2: 'Hysteria 2',
  hysteria2_text:
    'For bad connections: keeps its speed where data gets lost. Some networks do not let it through.',
  trojan: 'Trojan',
  trojan_text: 'Looks like an ordinary site, and works in older apps too.',
  'trojan-2901': 'Trojan in disguise',
  'trojan-2901_text': 'Trojan that looks like somebody else’s site. Try it where plain Trojan is blocked.',
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
    '“≈ ms” is how long an answer takes to come: an estimate by the distance from your time zone. Less is better.',
  measure: 'Measure it yourself',
  measureText:
    'Give this address to the ping command or to an app that measures the delay. Switch the VPN off first.',
  copyAddress: 'Copy the address',
} as const
