import { account } from './chapters/account.ts'
import { devices } from './chapters/devices.ts'
import { engines } from './chapters/engines.ts'
import { network } from './chapters/network.ts'
import { paying } from './chapters/paying.ts'
import { promocodes } from './chapters/promocodes.ts'
import { refunds } from './chapters/refunds.ts'
import { settings } from './chapters/settings.ts'
import { shopping } from './chapters/shopping.ts'
import { sideDoors } from './chapters/side-doors.ts'
import { signingUp } from './chapters/signing-up.ts'
import type { World } from './world.ts'

export interface Chapter {
  readonly name: string
  readonly play: (world: World) => Promise<void>
}

/** One life from the first server to the last account, in the order in which it is lived. */
export const chapters: readonly Chapter[] = [
  { name: '01-network', play: network },
  { name: '02-signing-up', play: signingUp },
  { name: '03-account', play: account },
  { name: '04-shopping', play: shopping },
  { name: '05-settings', play: settings },
  { name: '06-engines', play: engines },
  { name: '07-side-doors', play: sideDoors },
  { name: '08-devices', play: devices },
  { name: '09-paying', play: paying },
  { name: '10-refunds', play: refunds },
  { name: '11-promocodes', play: promocodes },
]
