import { chooseAmong, type ShownMethod, submit } from '../buying.ts'
import { asCustomer, type Customer } from '../customer.ts'
import type { Dice } from '../dice.ts'
import type { World } from '../world.ts'

/** Customers who buy options, and buy them again to have them for longer. */

interface ShownOption {
  readonly id: number
  readonly payment_methods: readonly ShownMethod[]
}

const daySeconds = 86_400

export const buyOption = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const { data } = await asCustomer(world, customer, 'GET', '/paid-options/tariffs')
  const option = dice.pick(data as ShownOption[])
  const isKey = dice.chance(0.12)
  const { body, wish } = chooseAmong(world, dice, option.payment_methods, isKey ? 'key' : 'option')
  const rest = isKey ? { as_key: true } : dice.chance(0.6) && { enable_auto_renewal: dice.chance(0.6) }
  const order = { paid_option_id: option.id, ...body, ...rest }
  const reply = await submit(world, customer, dice, '/paid-options', order, { ...wish, optionId: option.id })
  const end: number | undefined = reply.data?.expires_at
  const least = world.now() + (wish.days ?? 0) * daySeconds
  if (end !== undefined && end < least)
    world.blame('an option was sold for less than was paid', reply.message)
}

const codeToUse = (world: World, dice: Dice) => {
  const known = [...world.journal.optionCodes].slice(-20)
  return dice.pickOr(known)
}

/** A key that somebody bought or was given; it may be used or revoked by now, or be for the other option. */
export const useOptionCode = async (world: World, customer: Customer, dice: Dice): Promise<void> => {
  const chosen = codeToUse(world, dice)
  if (!chosen) return buyOption(world, customer, dice)
  const [code, { days, optionId = dice.int(1, 2) }] = chosen
  const wanted = dice.chance(0.1) ? 3 - optionId : optionId
  const body = { paid_option_id: wanted, promocode: code }
  const reply = await submit(world, customer, dice, '/paid-options', body, {
    kind: 'option',
    means: 'promocode',
    currency: 'RUB',
    quote: new Map([[days, 0]]),
    days,
    optionId: wanted,
    worthOf: () => 0,
  })
  world.tally.add(reply.errorCode === 0 ? 'promocodes used' : 'promocodes refused')
  if (reply.errorCode !== 0) return
  if (world.journal.usedCodes.has(code)) world.blame('a code was used twice', code)
  world.journal.usedCodes.add(code)
}
