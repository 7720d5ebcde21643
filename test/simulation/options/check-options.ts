import { inBatches } from '../dice.ts'
import type { Meters, World } from '../world.ts'
import { changeSubscription } from './desk.ts'
import { usualLimits } from './meters.ts'

/** What options have carried and whether they are on, as the model says. */

interface Living {
  readonly id: number
  readonly user_id: number
  readonly product_id: number | null
  readonly expires_at: number
}

interface Shown {
  readonly option_id: number
  readonly status: string
  readonly used_traffic_bytes: number
  readonly lifetime_used_traffic_bytes: number
  readonly traffic_limit_bytes: number
}

const listLiving = ({ service }: World): Promise<Living[]> =>
  service.db
    .selectFrom('terms')
    .select(['id', 'user_id', 'product_id', 'expires_at'])
    .where('product', '=', 'paid_options')
    .where('state', '<>', 'deleted')
    .orderBy('id')
    .execute()

const show = async (world: World, { user_id, product_id }: Living): Promise<Shown> => {
  const { data } = await world.operator('GET', `/users/${user_id}/paid-options`)
  return (data as Shown[]).find(({ option_id }) => option_id === product_id) as Shown
}

const limitOf = ({ journal }: World, { id, product_id }: Living): number =>
  journal.limits.get(id) ?? (usualLimits[(product_id ?? 0) - 1] as number)

const statusOf = (world: World, living: Living, used: number): string => {
  if (living.expires_at <= world.now()) return 'expired'
  if (world.journal.disabled.get(living.id)) return 'disabled'
  const limit = limitOf(world, living)
  return limit > 0 && used >= limit ? 'limited' : 'active'
}

const checkOne = async (world: World, meters: Meters, living: Living, used?: number): Promise<string[]> => {
  const shown = await show(world, living)
  const expected = {
    status: statusOf(world, living, used ?? shown.used_traffic_bytes),
    used: used ?? shown.used_traffic_bytes,
    lifetime: meters.carriedBy(living.id),
    limit: limitOf(world, living),
  }
  const found = {
    status: shown.status,
    used: shown.used_traffic_bytes,
    lifetime: shown.lifetime_used_traffic_bytes,
    limit: shown.traffic_limit_bytes,
  }
  const [one, other] = [JSON.stringify(expected), JSON.stringify(found)]
  return one === other ? [] : [`option term ${living.id} is ${other}, not ${one}`]
}

/** Begins anew and carries a byte less than it may, or exactly so much. */
const fillUp = async (
  world: World,
  meters: Meters,
  living: readonly Living[],
): Promise<Map<number, number>> => {
  const used = new Map<number, number>()
  const limited = living.filter((each) => limitOf(world, each) > 0 && each.expires_at > world.now())
  await inBatches(limited, async (each) => {
    await changeSubscription(world, each, { reset_traffic: true })
    used.set(each.id, 0)
  })
  await meters.flush()
  for (const [n, each] of limited.entries()) {
    const bytes = limitOf(world, each) - (n % 2)
    if (meters.carry(each.id, bytes)) used.set(each.id, bytes)
  }
  await meters.flush()
  await world.runJobs(true)
  return used
}

export const checkOptions = async (world: World): Promise<string[]> => {
  const meters = world.meters as Meters
  await meters.flush()
  await world.runJobs(true)
  const living = await listLiving(world)
  const problems: string[] = []
  await inBatches(living, async (each) => problems.push(...(await checkOne(world, meters, each))))
  const used = await fillUp(world, meters, living)
  const filled = living.filter(({ id }) => used.has(id))
  await inBatches(filled, async (each) =>
    problems.push(...(await checkOne(world, meters, each, used.get(each.id)))),
  )
  return problems
}
