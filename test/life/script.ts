import type { OperationName } from '@sallyport/contract/tables'
import { account } from './chapters/account.ts'
import { clouds } from './chapters/clouds.ts'
import { customSubscriptions } from './chapters/custom-subscriptions.ts'
import { delivery } from './chapters/delivery.ts'
import { devices, oneTimeLinks } from './chapters/devices.ts'
import { engines } from './chapters/engines.ts'
import { leaving } from './chapters/leaving.ts'
import { limits } from './chapters/limits.ts'
import { network } from './chapters/network.ts'
import { office } from './chapters/office.ts'
import { cabinet } from './chapters/operator/cabinet.ts'
import { catalogue } from './chapters/operator/catalogue.ts'
import { daysAndGifts } from './chapters/operator/days-and-gifts.ts'
import { deletedClouds } from './chapters/operator/deleted-clouds.ts'
import { draining } from './chapters/operator/draining.ts'
import { operatorFigures } from './chapters/operator/figures.ts'
import { fleet } from './chapters/operator/fleet.ts'
import { people } from './chapters/operator/people.ts'
import { staff } from './chapters/operator/staff.ts'
import { upgrading } from './chapters/operator/upgrading.ts'
import { webhooks } from './chapters/operator/webhooks.ts'
import { options } from './chapters/options.ts'
import { paying } from './chapters/paying.ts'
import { promocodes } from './chapters/promocodes.ts'
import { referrals } from './chapters/referrals.ts'
import { refunds } from './chapters/refunds.ts'
import { revoking } from './chapters/revoking.ts'
import { seasons } from './chapters/seasons.ts'
import { sessions } from './chapters/sessions.ts'
import { settings } from './chapters/settings.ts'
import { shopping } from './chapters/shopping.ts'
import { sideDoors } from './chapters/side-doors.ts'
import { signingUp } from './chapters/signing-up.ts'
import type { World } from './world.ts'

export interface Chapter {
  readonly name: string
  readonly play: (world: World) => Promise<void>
}

/** Operations that this life does without, and why. */
export const neverCalled: Readonly<Partial<Record<OperationName, string>>> = {}

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
  { name: '12-seasons', play: seasons },
  { name: '13-referrals', play: referrals },
  { name: '14-leaving', play: leaving },
  { name: '15-office', play: office },
  { name: '16-limits', play: limits },
  { name: '17-options', play: options },
  { name: '18-clouds', play: clouds },
  { name: '19-custom-subscriptions', play: customSubscriptions },
  { name: '20-delivery', play: delivery },
  { name: '21-revoking', play: revoking },
  { name: '22-catalogue', play: catalogue },
  { name: '23-fleet', play: fleet },
  { name: '24-draining', play: draining },
  { name: '25-people', play: people },
  { name: '26-figures', play: operatorFigures },
  { name: '27-staff', play: staff },
  { name: '28-webhooks', play: webhooks },
  { name: '29-days-and-gifts', play: daysAndGifts },
  { name: '30-deleted-clouds', play: deletedClouds },
  { name: '31-cabinet', play: cabinet },
  { name: '32-sessions', play: sessions },
  { name: '33-one-time-links', play: oneTimeLinks },
  { name: '34-upgrading', play: upgrading },
]
