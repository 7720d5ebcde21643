import type { App } from './app.ts'
import { amneziaVpn, amneziaWg, outline, telegram, wireguard } from './entry-apps.ts'
import {
  exclave,
  happ,
  hiddify,
  incy,
  shadowrocket,
  streisand,
  v2box,
  v2rayng,
  v2raytun,
} from './link-apps.ts'
import {
  clashMeta,
  clashVerge,
  flClash,
  flClashX,
  karing,
  koalaClash,
  prizrakBox,
  singBox,
  stash,
  throne,
} from './profile-apps.ts'

/** In the order a page offers them; an operator may arrange it otherwise. */
export const catalogue: readonly App[] = [
  happ,
  incy,
  v2raytun,
  v2rayng,
  streisand,
  clashVerge,
  hiddify,
  karing,
  shadowrocket,
  singBox,
  throne,
  flClashX,
  flClash,
  clashMeta,
  koalaClash,
  prizrakBox,
  stash,
  exclave,
  v2box,
  amneziaWg,
  amneziaVpn,
  wireguard,
  outline,
  telegram,
]
