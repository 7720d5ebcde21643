import type { EngineName } from '@sallyport/contract/agent'
import type { Protocol } from '@sallyport/contract/shapes'
import { sql } from 'kysely'
import type { Db } from '../db/client.ts'

/** A node is online while its last heartbeat is at most this old. */
export const onlineWithinSeconds = 90

export interface ServerChoice {
  readonly locationId: number
  readonly protocol: Protocol
  readonly serverId?: number | undefined
  readonly now: number
}

/** Online, offers the protocol, and has its engine. */
const offering = (choice: ServerChoice) => sql`
  from servers s
  join inbounds i on i.server_id = s.id and i.protocol = ${choice.protocol}
  join nodes n on n.id = s.node_id
  join node_status st on st.node_id = s.node_id
  join locations l on l.id = s.location_id and l.is_active
  where s.location_id = ${choice.locationId}
    and (${choice.serverId ?? null}::bigint is null or s.id = ${choice.serverId ?? null}::bigint)
    and st.last_seen_at >= ${choice.now - onlineWithinSeconds}
    and (n.sells_without_engine or i.engine = any(st.ready_engines))`

/** Servers with room, most room first. */
export const listAvailable = async (db: Db, choice: ServerChoice) => {
  const { rows } = await sql<{ id: number; available_slots: number }>`
    select s.id, s.capacity - s.used_slots as available_slots ${offering(choice)} and s.used_slots < s.capacity
    order by available_slots desc, s.id`.execute(db)
  return rows
}

/** Whether a server can carry this now, whatever its free slots. */
export const isOffered = async (
  db: Db,
  choice: ServerChoice & { readonly serverId: number },
): Promise<boolean> => {
  const { rows } = await sql`select 1 ${offering(choice)}`.execute(db)
  return rows.length > 0
}

/** Whether the node is alive and has this engine, or sells without. */
export const findNodeReadiness = async (db: Db, nodeId: number, engine: EngineName, now: number) => {
  const { rows } = await sql<{ has_engine: boolean; sells_without_engine: boolean }>`
    select coalesce(st.last_seen_at >= ${now - onlineWithinSeconds}, false)
        and ${engine} = any(st.ready_engines) as has_engine, n.sells_without_engine
    from nodes n join node_status st on st.node_id = n.id where n.id = ${nodeId}`.execute(db)
  const row = rows[0]
  return { hasEngine: row?.has_engine ?? false, sellsWithout: row?.sells_without_engine ?? false }
}

/** Takes one more slot of this very server; false when it is full. */
export const claimSlotOf = async (tx: Db, serverId: number): Promise<boolean> => {
  const claimed = await tx
    .updateTable('servers')
    .set((eb) => ({ used_slots: eb('used_slots', '+', 1) }))
    .where('id', '=', serverId)
    .whereRef('used_slots', '<', 'capacity')
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

export interface ClaimedServer {
  readonly id: number
  readonly node_id: number
}

/** Takes a slot of the best server, or none. Rivals for the same row wait for it and look again. */
export const claimSlot = async (tx: Db, choice: ServerChoice): Promise<ClaimedServer | undefined> => {
  for (;;) {
    const seen = await listAvailable(tx, choice)
    if (seen.length === 0) return undefined
    for (const candidate of seen) {
      const claimed = await tx
        .updateTable('servers')
        .set((eb) => ({ used_slots: eb('used_slots', '+', 1) }))
        .where('id', '=', candidate.id)
        .whereRef('used_slots', '<', 'capacity')
        .returning(['id', 'node_id'])
        .executeTakeFirst()
      if (claimed) return claimed
    }
  }
}

/**
 * Gives a slot of one server back and takes one of another, or nothing. Both rows are held in one order, so that
 * customers who change places do not wait for each other.
 */
export const swapSlot = async (
  tx: Db,
  fromServerId: number,
  choice: ServerChoice,
): Promise<ClaimedServer | undefined> => {
  for (const candidate of await listAvailable(tx, choice)) {
    const held = await tx
      .selectFrom('servers')
      .select(['id', 'node_id', 'used_slots', 'capacity'])
      .where('id', 'in', [fromServerId, candidate.id])
      .orderBy('node_id')
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const target = held.find((server) => server.id === candidate.id)
    if (!target || target.used_slots >= target.capacity) continue
    if (target.id === fromServerId) return target
    await releaseSlot(tx, fromServerId)
    await claimSlotOf(tx, target.id)
    return target
  }
  return undefined
}

export const releaseSlot = async (tx: Db, serverId: number): Promise<void> => {
  await tx
    .updateTable('servers')
    .set((eb) => ({ used_slots: eb('used_slots', '-', 1) }))
    .where('id', '=', serverId)
    .execute()
}

/** In the order in which the round of expiry takes them, for changes that touch several. */
export const holdServers = async (tx: Db, ids: Iterable<number>): Promise<void> => {
  const wanted = [...ids]
  if (wanted.length < 2) return
  await tx
    .selectFrom('servers')
    .select('id')
    .where('id', 'in', wanted)
    .orderBy('node_id')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}
