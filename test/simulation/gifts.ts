import type { Dice } from './dice.ts'
import type { Journal } from './journal.ts'
import type { Books, OrderRow } from './queries.ts'
import type { Reply, World } from './world.ts'

/** Products and days that the operator gives away, and days that are taken. */

/** Asked once or twice with the same key. */
export const sure = async (
  world: World,
  dice: Dice,
  path: string,
  body: object,
  key: string,
): Promise<Reply> => {
  const first = await world.operator('POST', path, { body, key })
  if (!dice.chance(0.2) || first.errorCode !== 0) return first
  const again = await world.operator('POST', path, { body, key })
  if (JSON.stringify(again.data) !== JSON.stringify(first.data)) {
    world.blame('the operator was answered otherwise', again.message)
  }
  return first
}

/** Nowhere is room, or the option is switched off. */
const isRefusal = ({ errorCode }: Reply): boolean => errorCode === 22 || errorCode === 6

export const giveProduct = async (world: World, dice: Dice): Promise<void> => {
  const { openings, deletions, gifts } = world.journal
  const userId = dice.pickOr([...openings.keys()].filter((id) => !deletions.has(id)))
  if (userId === undefined) return
  const product_type = dice.weighted({ configs: 50, paid_options: 35, cloud_servers: 15 })
  const which = {
    configs: { location_id: dice.int(1, 3), protocol: 'vless' },
    paid_options: { product_id: dice.int(1, 2) },
    cloud_servers: { product_id: 1, location_id: 1 },
  }[product_type]
  const days = dice.pick([1, 7, 30, 45, 90])
  const body = { product_type, ...which, days, reason: 'a mistake of ours' }
  const reply = await sure(world, dice, `/users/${userId}/grants`, body, `gift-${userId}-${world.now()}`)
  if (reply.errorCode === 0) gifts.push({ userId, product: product_type, days })
  else if (!isRefusal(reply)) world.blame('a gift was refused', reply.message)
  world.tally.add(reply.errorCode === 0 ? 'gifts given' : 'gifts refused')
}

export const changeDays = async (world: World, dice: Dice): Promise<void> => {
  const terms = await world.service.db
    .selectFrom('terms')
    .select(['id', 'product', 'state', 'expires_at'])
    .where('state', '<>', 'deleted')
    .orderBy('id')
    .execute()
  const term = dice.pickOr(terms)
  if (!term) return
  const days = dice.pick([1, 2, 3, 7, 14, 30, -1, -5, -20, -400])
  const body = { days, reason: 'the customer asked' }
  const reply = await sure(world, dice, `/terms/${term.id}/days`, body, `days-${term.id}-${world.now()}`)
  if (reply.errorCode === 0) world.journal.days.push(days)
  // What ended long ago is gone before the round that deletes it.
  else if (!isRefusal(reply) && !(term.state === 'expired' && reply.errorCode === 1)) {
    world.blame('days were refused', reply.message)
  }
  if (reply.errorCode === 0) world.tally.add(days > 0 ? 'gifts of days' : 'gifts taken')
}

const textOf = ({ userId, product, days }: Journal['gifts'][number]): string => `${userId} ${product} ${days}`

/** Everything that was given is there once, and nothing else is said to be given. */
export const checkGifts = ({ gifts, days }: Journal, books: Books): string[] => {
  const isGift = ({ is_gift }: OrderRow): boolean => is_gift
  const found = books.orders
    .filter(isGift)
    .map(({ user_id, product, days: length }) => textOf({ userId: user_id, product, days: length }))
  const expected = gifts.map(textOf)
  const isSame = JSON.stringify(found.toSorted()) === JSON.stringify(expected.toSorted())
  const [given, kept] = [days.toSorted(), books.days.map((row) => row.days).toSorted()]
  return [
    ...(isSame ? [] : [`gifts are ${found.join(', ')}, not ${expected.join(', ')}`]),
    ...(JSON.stringify(given) === JSON.stringify(kept) ? [] : [`days are ${kept}, not ${given}`]),
  ]
}
