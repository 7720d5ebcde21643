import type { Endpoint } from '../../vpn/endpoint.ts'
import type { Format } from '../format.ts'
import { singBoxOutbound } from '../render/sing-box.ts'
import { xrayOutbound } from '../render/xray-outbound.ts'
import { mihomoProxy } from './clash/mihomo.ts'
import { clashProxy } from './clash/old-clash.ts'
import { stashProxy } from './clash/stash.ts'
import { outlineServer } from './outline.ts'

const always = (): true => true

/** Null for what the format has no words for. */
const partOf: Readonly<Record<Format, (endpoint: Endpoint) => unknown>> = {
  base64: always,
  links: always,
  xray: xrayOutbound,
  mihomo: mihomoProxy,
  stash: stashProxy,
  clash: clashProxy,
  'sing-box': singBoxOutbound,
  outline: outlineServer,
  conf: ({ protocol }) => (protocol === 'wireguard' ? true : null),
}

/** Whether apps that read the format get the entry at all. */
export const carries = (format: Format, endpoint: Endpoint): boolean => partOf[format](endpoint) !== null
