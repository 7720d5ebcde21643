import type { Protocol } from '@sallyport/contract/shapes'

/** In the order they are offered: what suits most people first. */
export const protocols = [
  'vless',
  'vless-2410',
  'amnezia-wg-2',
  'hysteria2',
  'trojan',
  'trojan-2901',
  'shadowsocks-2022',
  'outline',
  'wg',
] as const satisfies readonly Protocol[]

export const recommended: Protocol = 'vless'

const firstLetter = 0x1f1e6 - 'A'.charCodeAt(0)

/** Of a country by its code. */
export const flagOf = (code: string): string =>
  /^[A-Z]{2}$/i.test(code)
    ? String.fromCodePoint(...[...code.toUpperCase()].map((letter) => letter.charCodeAt(0) + firstLetter))
    : '🌐'
