import type { TestUser } from '../support/service.ts'
import { Dice } from './dice.ts'
import type { Question, Reply, World } from './world.ts'

/** Somebody with an account. */

export interface Customer {
  readonly index: number
  readonly user: TestUser
  /** How often this one comes by, of the days. */
  readonly zeal: number
  requests: number
}

export const asCustomer = (
  world: World,
  { user }: Customer,
  method: string,
  path: string,
  question: Question = {},
): Promise<Reply> => world.ask(user.api_key, method, `/v1${path}`, question)

export interface ShownConfig {
  readonly id: number
  readonly expires_at: number
  readonly auto_renewal: boolean
}

const renewableSeconds = 14 * 86_400

/** What can still be renewed; past that it is listed until the next round of jobs. */
export const listConfigs = async (world: World, customer: Customer): Promise<readonly ShownConfig[]> => {
  const { data } = await asCustomer(world, customer, 'GET', '/configs')
  return (data as ShownConfig[]).filter((config) => config.expires_at + renewableSeconds > world.now())
}

const openingsRub = [0, 0, 0, 0, 300, 1000]
const earlyShare = 0.15

/** A new customer, perhaps brought by an earlier one; a few bring most of them. */
export const signUp = async (
  world: World,
  index: number,
  earlier: readonly Customer[],
): Promise<Customer> => {
  const dice = new Dice(world.seed, 100, index)
  const popular = earlier.slice(0, Math.ceil(earlier.length * earlyShare))
  const referrer = dice.chance(0.6) ? dice.pickOr(dice.chance(0.7) ? popular : earlier) : undefined
  const opening = { wallet: dice.pick(openingsRub), referral: dice.chance(0.05) ? dice.int(500, 3000) : 0 }
  const user = await world.service.createUser({
    email: `customer${index}@example.com`,
    balance: opening.wallet,
    referral_balance: opening.referral,
    ...(referrer && { referral_code: referrer.user.referral_code }),
  })
  world.journal.openings.set(user.id, opening)
  if (referrer) world.tally.add('referred')
  return { index, user, zeal: dice.pick([0.25, 0.5, 1, 1, 2, 3]), requests: 0 }
}
