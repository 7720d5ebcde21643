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

/** Undefined when it has one now, or needs none. */
const replaceIn = (db: Db, serverId: number, optionId: number, now: number): Promise<string | undefined> =>
  inTransaction(db, async (tx) => {
    const drain = await joinDrain(tx, serverId)
    await sql`select from paid_options where id = ${optionId}::bigint for update`.execute(tx)
    const option = await findOption(tx, optionId)
    const servers = await listServers(tx, optionId)
    const left = servers.find((server) => server.server_id === serverId)
    if (!drain || !option || !left) return undefined
    const where = { from: serverId, to: drain.to_server_ids, locationId: left.location_id }
    const choice = choiceOf(where, option.protocol, now)
    const listed = servers.map((server) => server.server_id)
    const free = await listAvailable(tx, { ...choice, except: listed })
    const needed = await countSlots(tx, optionId, serverId)
    const server = free.find(({ available_slots }) => available_slots >= needed)
    if (server) {
      await replaceServer(tx, optionId, serverId, server.id)
      return undefined
    }
    const reason =
      free.length > 0
        ? `none has room for all ${needed} configurations`
        : await whyNone(tx, { ...where, except: listed }, option.protocol, now)
    return `the option “${option.title_en}” needs another server in its place: ${reason}`
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
