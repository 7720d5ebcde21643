import type { Dice } from '../dice.ts'
import type { World } from '../world.ts'

/** What the operator does to options. */

interface Subscription {
  readonly id: number
  readonly user_id: number
  readonly product_id: number | null
}

const listSubscriptions = ({ service }: World): Promise<Subscription[]> =>
  service.db
    .selectFrom('terms')
    .select(['id', 'user_id', 'product_id'])
    .where('product', '=', 'paid_options')
    .where('state', '=', 'active')
    .orderBy('id')
    .execute()

export const changeSubscription = async (
  world: World,
  { user_id, product_id }: Omit<Subscription, 'id'>,
  change: object,
) => {
  const body = { ...change, reason: 'the customer asked' }
  const path = `/users/${user_id}/paid-options/${product_id}`
  const reply = await world.operator('PATCH', path, { body })
  if (reply.status !== 200) world.blame('the operator could not change an option', reply.message)
  return reply.data ?? {}
}

/** What ends this very second has ended, though no round has come by yet. */
const endedOr = (world: World, { expires_at }: { expires_at: number }, status: string): string =>
  expires_at <= world.now() ? 'expired' : status

export const switchOff = async (world: World, dice: Dice): Promise<void> => {
  const chosen = dice.pickOr(await listSubscriptions(world))
  if (!chosen) return
  const data = await changeSubscription(world, chosen, { is_disabled: true })
  world.journal.disabled.set(chosen.id, true)
  world.tally.add('options switched off')
  if (data.status !== endedOr(world, data, 'disabled')) world.blame('switched off, an option is', data)
}

export const switchOn = async (world: World, dice: Dice): Promise<void> => {
  const { disabled } = world.journal
  const chosen = dice.pickOr((await listSubscriptions(world)).filter(({ id }) => disabled.get(id)))
  if (!chosen) return
  const data = await changeSubscription(world, chosen, { is_disabled: false })
  disabled.set(chosen.id, false)
  const { used_traffic_bytes: used, traffic_limit_bytes: limit } = data
  const expected = endedOr(world, data, limit > 0 && used >= limit ? 'limited' : 'active')
  if (data.status !== expected) world.blame(`switched on, an option is not ${expected}`, data)
}

export const resetTraffic = async (world: World, dice: Dice): Promise<void> => {
  const chosen = dice.pickOr(await listSubscriptions(world))
  if (!chosen) return
  const data = await changeSubscription(world, chosen, { reset_traffic: true })
  const expected = endedOr(world, data, world.journal.disabled.get(chosen.id) ? 'disabled' : 'active')
  if (data.status !== expected || data.used_traffic_bytes !== 0) {
    world.blame(`begun anew, an option is not ${expected}`, data)
  }
}

/** One server leaves an option, or one that it has not joins. */
export const changeServers = async (world: World, dice: Dice): Promise<void> => {
  const all = world.meters?.serverIds ?? []
  const { data } = await world.operator('GET', '/paid-options')
  const option = dice.pick(data as { id: number; servers: { server_id: number }[] }[])
  const own = option.servers.map((server) => server.server_id)
  const isLeaving = own.length === all.length || (own.length > 1 && dice.chance(0.5))
  const changed = dice.pick(all.filter((id) => own.includes(id) === isLeaving))
  const server_ids = isLeaving ? own.filter((id) => id !== changed) : [...own, changed]
  const reply = await world.operator('PATCH', `/paid-options/${option.id}`, { body: { server_ids } })
  if (reply.status !== 200) return world.blame('servers of an option were not changed', reply.message)
  world.tally.add(isLeaving ? 'options servers left' : 'options servers joined')
}
