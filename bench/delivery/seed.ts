import type { Protocol } from '@sallyport/contract/shapes'
import { type Seeded, seed } from '../seed.ts'

/** Customers with something of every protocol that is shared, so that every format has what to say. */

const protocols: readonly Protocol[] = [
  'vless',
  'trojan',
  'vless',
  'outline',
  'hysteria2',
  'vless-2410',
  'vless',
  'shadowsocks-2022',
  'wg',
  'trojan-2901',
]

export const itemsEach = protocols.length

export const seedDelivery = (adminUrl: string, customers: number): Promise<Seeded> =>
  seed(adminUrl, { customers, active: customers, configsEach: itemsEach, protocols }, 'delivery')
