import { account } from './chapters/account.ts'
import { network } from './chapters/network.ts'
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
]
