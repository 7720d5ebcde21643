import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { listAvailable } from '../fleet/servers.ts'
import { findOption, listOptionsWith, listServers, replaceServer } from '../options/option-catalogue.ts'
import { type Drain, joinDrain } from './drains.ts'
import { choiceOf, whyNone } from './targets.ts'

/** Options whose server is emptied get another in its position; their customers' configurations follow. */

/** How many slots they take there: what has ended takes none. */
const countSlots = async (tx: Db, optionId: number, serverId: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from accesses a join terms t on t.id = a.term_id
    where a.server_id = ${serverId}::bigint and a.beside_id is null and t.product = 'paid_options'
      and t.product_id = ${optionId}::bigint and t.state = 'active'`.execute(tx)
  return rows[0]?.count ?? 0
}

type Place = Pick<Drain, 'server_id' | 'to_server_ids'>

/** One that can be in its position, or why there is none; undefined of an option that does not name it. */
const findReplacement = async (
  db: Db,
  { server_id: serverId, to_server_ids: to }: Place,
  optionId: number,
  now: number,
): Promise<{ readonly id: number } | { readonly reason: string } | undefined> => {
  const option = await findOption(db, optionId)
  const servers = await listServers(db, optionId)
  const left = servers.find((server) => server.server_id === serverId)
  if (!option || !left) return undefined
  const where = { from: serverId, to, locationId: left.location_id }
  const choice = choiceOf(where, option.protocol, now)
  const listed = servers.map((server) => server.server_id)
  const free = await listAvailable(db, { ...choice, except: listed })
  const needed = await countSlots(db, optionId, serverId)
  const server = free.find(({ available_slots }) => available_slots >= needed)
  if (server) return { id: server.id }
  const reason =
    free.length > 0
      ? `none has room for all ${needed} configurations`
      : await whyNone(db, { ...where, except: listed }, option.protocol, now)
  return { reason: `the option “${option.title_en}” needs another server in its place: ${reason}` }
}

/** Undefined when it has one now, or needs none. */
const replaceIn = (db: Db, serverId: number, optionId: number, now: number): Promise<string | undefined> =>
  inTransaction(db, async (tx) => {
    const drain = await joinDrain(tx, serverId)
    await sql`select from paid_options where id = ${optionId}::bigint for update`.execute(tx)
    const found = drain && (await findReplacement(tx, drain, optionId, now))
    if (!found) return undefined
    if ('reason' in found) return found.reason
    await replaceServer(tx, optionId, serverId, found.id)
    return undefined
  })

/** Why options could not get another, by option. */
export const replaceInOptions = async (
  db: Db,
  { server_id: serverId }: Pick<Drain, 'server_id'>,
  now: number,
): Promise<ReadonlyMap<number, string>> => {
  const unreplaced = new Map<number, string>()
  for (const optionId of await listOptionsWith(db, serverId)) {
    const reason = await replaceIn(db, serverId, optionId, now)
    if (reason !== undefined) unreplaced.set(optionId, reason)
  }
  return unreplaced
}

/** Whether it has configurations there, which say themselves why they stay. */
const hasConfigsOn = async (db: Db, optionId: number, serverId: number): Promise<boolean> => {
  const { rows } = await sql`
    select a.id from accesses a
    cross join lateral (select product, product_id from terms where id = a.term_id offset 0) t
    where a.server_id = ${serverId}::bigint and a.beside_id is null and t.product = 'paid_options'
      and t.product_id = ${optionId}::bigint limit 1`.execute(db)
  return rows.length > 0
}

/** Options that nobody has there and that keep the server from being emptied: they get no other. */
export const listUnreplaced = async (
  db: Db,
  place: Place,
  optionIds: readonly number[],
  now: number,
): Promise<{ item: number; reason: string }[]> => {
  const unreplaced: { item: number; reason: string }[] = []
  for (const item of optionIds) {
    const found = await findReplacement(db, place, item, now)
    if (!found || !('reason' in found) || (await hasConfigsOn(db, item, place.server_id))) continue
    unreplaced.push({ item, reason: found.reason })
  }
  return unreplaced
}
