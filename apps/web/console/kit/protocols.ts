import type { protocols as all } from '@sallyport/contract/shapes'

export type Protocol = (typeof all)[number]

/** What servers can offer, the usual ones first. */
export const protocols: readonly Protocol[] = [
  'vless',
  'vless-2410',
  'trojan',
  'trojan-2901',
  'shadowsocks-2022',
  'outline',
  'hysteria2',
  'wg',
  'amnezia-wg-2',
]
