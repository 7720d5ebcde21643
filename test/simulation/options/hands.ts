import { asCustomer, type Customer } from '../customer.ts'
import { Dice } from '../dice.ts'
import type { Reply, World } from '../world.ts'

/** Accounts that are emptied into others, or deleted: mostly of customers who have options. */

interface Holding {
  readonly id: number
  readonly user_id: number
  readonly product_id: number | null
  readonly item_id: number
}

const listHoldings = ({ service }: World): Promise<Holding[]> =>
  service.db
    .selectFrom('terms')
    .select(['id', 'user_id', 'product_id', 'item_id'])
    .where('product', '=', 'paid_options')
    .where('state', '<>', 'deleted')
    .orderBy('id')
    .execute()

/** As the customer with a session, which an API key is not enough for. */
const withSession = async (
  world: World,
  { user }: Customer,
  method: string,
  path: string,
  body?: object,
): Promise<Reply> => {
  const { data } = await world.operator('POST', `/users/${user.id}/sessions`)
  return world.ask(data.session_token, method, `/v1${path}`, body && { body })
}

const orderIdsOf = async ({ service }: World, itemId: number): Promise<number[]> => {
  const rows = await service.db
    .selectFrom('orders')
    .select('id')
    .where('product', '=', 'paid_options')
    .where('item_id', '=', itemId)
    .execute()
  const days = await service.db
    .selectFrom('term_days as d')
    .innerJoin('terms as t', 't.id', 'd.term_id')
    .select('d.id')
    .where('t.product', '=', 'paid_options')
    .where('t.item_id', '=', itemId)
    .execute()
  return [...rows.map((row) => row.id), ...days.map((row) => -row.id)]
}

/** Somebody with the same option as often as not, or anybody. */
const chooseTarget = (
  customers: readonly Customer[],
  holdings: readonly Holding[],
  from: Customer,
  dice: Dice,
): Customer | undefined => {
  const ids = (userId: number) =>
    holdings.filter((each) => each.user_id === userId).map((each) => each.product_id)
  const own = ids(from.user.id)
  const others = customers.filter((customer) => customer !== from)
  const same = others.filter(({ user }) => ids(user.id).some((id) => own.includes(id)))
  return dice.pickOr(dice.chance(0.5) && same.length > 0 ? same : others)
}

const move = async (world: World, customers: readonly Customer[], from: Customer, dice: Dice) => {
  const holdings = await listHoldings(world)
  const to = chooseTarget(customers, holdings, from, dice)
  if (!to) return
  const ofBoth = (userId: number) => holdings.filter((each) => each.user_id === userId)
  const twinOf = (each: Holding) => ofBoth(to.user.id).find((other) => other.product_id === each.product_id)
  const twins = ofBoth(from.user.id).filter((each) => twinOf(each) !== undefined)
  const merged = await Promise.all(twins.map((twin) => orderIdsOf(world, twin.item_id)))
  const { data: before } = await asCustomer(world, from, 'GET', '/profile')
  const made = await withSession(world, from, 'POST', '/profile/transfer/createKey')
  const key: string = made.data?.key ?? made.message
  const reply = await withSession(world, to, 'POST', '/profile/transfer/activateKey', { key })
  const { data, message } = reply
  // What the operator has switched off does not become a part of what is on.
  if (twins.some((twin) => world.journal.disabled.get(twin.id))) {
    if (reply.errorCode !== 6) world.blame('an option that is off went into another', message)
    return
  }
  const { balance: wallet, referral_balance: referral, paid_options: count } = data ?? {}
  const isAll = wallet === before.balance && referral === before.referral_balance
  if (!isAll || count !== ofBoth(from.user.id).length) return world.blame('not all was moved', message)
  const { journal, tally } = world
  const at = world.now()
  journal.moves.push({ at, fromId: from.user.id, toId: to.user.id, wallet, referral })
  for (const orderIds of merged) journal.merges.push({ at, orderIds })
  for (const twin of twins) world.meters?.merge(twin.id, (twinOf(twin) as Holding).id)
  tally.add('accounts moved')
  tally.add('options moved', count - twins.length)
  tally.add('options merged', twins.length)
  const left = (await asCustomer(world, from, 'GET', '/paid-options')).data
  if (left.length > 0) world.blame('an option was left behind', left)
}

const remove = async (world: World, customers: Customer[], customer: Customer): Promise<void> => {
  const reply = await withSession(world, customer, 'DELETE', '/profile')
  // A withdrawal is waiting.
  if (reply.errorCode === 6) return
  if (reply.status !== 200) return world.blame('an account was not deleted', reply.message)
  world.journal.deletions.set(customer.user.id, world.now())
  world.tally.add('accounts deleted')
  customers.splice(customers.indexOf(customer), 1)
}

/** In a second of their own, so that it is clear what was before and what after. */
export const changeHands = async (
  world: World,
  customers: Customer[],
  day: number,
  share: number,
): Promise<void> => {
  const dice = new Dice(world.seed, 950, day)
  const what = dice.chance(0.1 * share) ? dice.weighted({ move: 75, remove: 25 }) : undefined
  if (!what) return
  const owners = new Set((await listHoldings(world)).map((each) => each.user_id))
  const holders = customers.filter(({ user }) => owners.has(user.id))
  const customer = dice.pickOr(dice.chance(0.85) ? holders : customers)
  if (!customer) return
  await world.goTo(world.now() + 1)
  if (what === 'move') await move(world, customers, customer, dice)
  else await remove(world, customers, customer)
  await world.goTo(world.now() + 1)
}
