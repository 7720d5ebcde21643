import { asCustomer, type Customer } from '../customer.ts'
import type { Dice } from '../dice.ts'
import type { World } from '../world.ts'
import { buyOption } from './shopping.ts'

/** What customers do with the options they have. */

interface OwnOption {
  readonly option_id: number
}

const pickOwn = async (world: World, customer: Customer, dice: Dice): Promise<number | undefined> =>
  dice.pickOr<OwnOption>((await asCustomer(world, customer, 'GET', '/paid-options')).data)?.option_id

/** The one name of a subscription that stays, whoever has it; nobody outside is told. */
export const termOf = async ({ service }: World, userId: number, optionId: number): Promise<number> => {
  const term = await service.db
    .selectFrom('terms')
    .select('id')
    .where('user_id', '=', userId)
    .where('product', '=', 'paid_options')
    .where('product_id', '=', optionId)
    .where('state', '<>', 'deleted')
    .executeTakeFirstOrThrow()
  return term.id
}

export const switchOptionRenewal = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const id = await pickOwn(world, customer, dice)
  if (id === undefined) return buyOption(world, customer, dice)
  const enabled = dice.chance(0.75)
  const body = { enabled, ...(enabled && { days: dice.pick([30, 30, 90, 180]) }) }
  const path = `/paid-options/${id}/auto-renewal`
  const { status, message } = await asCustomer(world, customer, 'PATCH', path, { body })
  if (status !== 200) world.blame('auto-renewal of an option was not switched', message)
}

/** No server may be alive, there may be twenty, and what is off is not changed. */
const fairRefusals = [22, 6]

export const addConfig = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const id = await pickOwn(world, customer, dice)
  if (id === undefined) return buyOption(world, customer, dice)
  const body = { protocol: dice.pick(['vless', 'trojan', 'hysteria2']) }
  const reply = await asCustomer(world, customer, 'POST', `/paid-options/${id}/configs`, { body })
  if (reply.errorCode === 0) return world.tally.add('options configurations added')
  const info = await asCustomer(world, customer, 'GET', `/paid-options/${id}/subscription`)
  const isFair = fairRefusals.includes(reply.errorCode) || info.data.status !== 'active'
  if (!isFair) world.blame('a configuration was not added', reply.message)
}

const gigabyte = 1_000_000_000
const limits = [0.2, 0.5, 1, 2, 5, 500, 0].map((amount) => amount * gigabyte)

/** Lower, so that it is used up at once or soon, and higher again. */
export const changeLimits = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const id = await pickOwn(world, customer, dice)
  if (id === undefined) return buyOption(world, customer, dice)
  const path = `/paid-options/${id}`
  const limit = dice.pick(limits)
  const body = { traffic_limit: limit, ...(dice.chance(0.3) && { device_limit: dice.int(0, 9) }) }
  const reply = await asCustomer(world, customer, 'PATCH', `${path}/limits`, { body })
  if (reply.status !== 200) return world.blame('limits were not changed', reply.message)
  const term = await termOf(world, customer.user.id, id)
  world.journal.limits.set(term, limit)
  const { data } = await asCustomer(world, customer, 'GET', `${path}/subscription`)
  const isUsedUp = limit > 0 && data.used_traffic_bytes >= limit
  const expected = world.journal.disabled.get(term) ? 'disabled' : isUsedUp ? 'limited' : 'active'
  if (data.status !== expected || data.traffic_limit_bytes !== limit) {
    world.blame(`after its limit became ${limit} an option is not ${expected}`, data)
  }
}
