import type { Endpoint } from '../../vpn/endpoint.ts'

/** What is known of one client app. Operators add their own in the same form. */

export const platforms = ['ios', 'android', 'windows', 'macos', 'linux', 'tv'] as const
export type Platform = (typeof platforms)[number]

export const appProtocols = [
  'vless',
  'trojan',
  'shadowsocks',
  'outline',
  'hysteria2',
  'wireguard',
  'amneziawg',
  'http',
  'socks5',
  'mtproto',
] as const
/** As far as apps tell them apart: a Shadowsocks of 2022 is not for Outline, nor AmneziaWG for WireGuard. */
export type AppProtocol = (typeof appProtocols)[number]

export const appFormats = [
  'base64',
  'links',
  'xray',
  'mihomo',
  'stash',
  'clash',
  'sing-box',
  'outline',
  'conf',
] as const
export type AppFormat = (typeof appFormats)[number]

/**
 * Whether a limit on devices lets the app in: it names its device always, because our link tells it to, after the
 * customer has switched it on, or never.
 */
export const hwidHabits = ['always', 'by_link', 'switch', 'never'] as const
export type HwidHabit = (typeof hwidHabits)[number]

export const regions = ['ru', 'abroad'] as const

export interface Store {
  readonly name: string
  readonly url: string
  readonly platforms: readonly Platform[]
  /** Where the listing can be seen; everywhere without it. */
  readonly region?: (typeof regions)[number]
  /** As the store names it: counterfeits differ in nothing else. */
  readonly publisher?: string
}

export interface App {
  readonly id: string
  readonly name: string
  readonly platforms: readonly Platform[]
  readonly stores: readonly Store[]
  /** Adds the whole subscription in one tap; null for an app that takes entries one by one. */
  readonly importTemplate: string | null
  /** Of the links of single entries, the scheme that this app answers to, and where. */
  readonly opens?: { readonly scheme: string; readonly platforms: readonly Platform[] }
  readonly formats: readonly AppFormat[]
  readonly protocols: readonly AppProtocol[]
  readonly hwid: HwidHabit
  /** YYYY-MM-DD: when somebody last compared all this with the app. */
  readonly checkedOn: string
}

export const appProtocolOf = (endpoint: Endpoint): AppProtocol => {
  if (endpoint.protocol === 'wireguard') return endpoint.awg === null ? 'wireguard' : 'amneziawg'
  if (endpoint.protocol === 'shadowsocks') return endpoint.isOutline ? 'outline' : 'shadowsocks'
  return endpoint.protocol
}
