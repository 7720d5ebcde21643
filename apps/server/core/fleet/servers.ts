import type { EngineName } from '@sallyport/contract/agent/agent'
import { ApiError } from '@sallyport/contract/errors'
import type { Protocol } from '@sallyport/contract/shapes'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** A node is online while its last heartbeat is at most this old. */
export const onlineWithinSeconds = 90

export const isHeard = (lastSeenAt: number | null, now: number): boolean =>
  lastSeenAt !== null && lastSeenAt >= now - onlineWithinSeconds

/** Which servers come into question: the operator's own, those of one customer's machine, or the ones listed. */
export type ServerScope = 'operator' | { readonly ownerTermId: number } | { readonly ids: readonly number[] }

const isInScope = (server: string, scope: ServerScope) => {
  const [id, owner] = [sql.ref(`${server}.id`), sql.ref(`${server}.owner_term_id`)]
  if (scope === 'operator') return sql`${owner} is null`
  if ('ids' in scope) return sql`${id} = any(${scope.ids}::bigint[])`
  return sql`${owner} = ${scope.ownerTermId}::bigint`
}

/** Whether it takes somebody more, who had a slot of this one before. */
const sells = (server: string, homeId: number | undefined) => {
  const [id, state] = [sql.ref(`${server}.id`), sql.ref(`${server}.state`)]
  return sql<boolean>`(${state} = 'selling' or ${state} = 'closed' and ${id} = ${homeId ?? null}::bigint)`
}

export interface ServerChoice {
  readonly scope?: ServerScope
  /** Any of the scope where none is named. */
  readonly locationId?: number
  /** Something new is placed: only where the location is offered. What is there goes on wherever it is. */
  readonly isNew: boolean
  readonly protocol: Protocol
  /**
   * Taken before all others when it can be, and otherwise gives way to them. One that is not of the location or does
   * not offer the protocol is a mistake, which nothing makes up for.
   */
  readonly preferredId?: number | undefined
  /** Where it was before it ended: a closed server takes back what it had. */
  readonly homeId?: number | undefined
  /** Servers that do not come into question. */
  readonly except?: readonly number[]
  /** One that its node must have too, besides that of the protocol. */
  readonly engine?: EngineName | undefined
  readonly now: number
}

export interface ClaimedServer {
  readonly id: number
  readonly node_id: number
  readonly location_id: number
}

/** A node that fails more of its customers than this is the last to get others. */
const mostTroubles = 2

interface Candidate extends ClaimedServer {
  readonly available_slots: number
  readonly is_troubled: boolean
}

/**
 * Servers that are online, offer the protocol with its engine at an inbound that is open, and sell and have room or are the
 * one where the slot is taken already. The preferred one first, then the one that holds the slot, then those with most room.
 */
const findCandidates = async (db: Db, choice: ServerChoice, heldId?: number): Promise<Candidate[]> => {
  const {
    protocol,
    preferredId: preferred = null,
    now,
    scope = 'operator',
    except = [],
    engine = null,
  } = choice
  const isThere = (server: string) =>
    choice.locationId === undefined
      ? sql`true`
      : sql`${sql.ref(`${server}.location_id`)} = ${choice.locationId}`
  const isOffered = choice.isNew ? sql`(l.is_active or s.owner_term_id is not null)` : sql`true`
  const { rows } = await sql<Candidate>`
    select s.id, s.node_id, s.location_id, s.capacity - s.used_slots as available_slots,
      exists (select from uncarried u where u.node_id = s.node_id and u.carried_at is null offset ${mostTroubles}) as is_troubled
    from servers s
    join inbounds i on i.server_id = s.id and i.protocol = ${protocol}
    join nodes n on n.id = s.node_id
    join node_status st on st.node_id = s.node_id
    join locations l on l.id = s.location_id and ${isOffered}
    where ${isThere('s')} and ${isInScope('s', scope)}
      and st.last_seen_at >= ${now - onlineWithinSeconds}
      and (n.sells_without_engine or i.engine = any(st.ready_engines))
      and i.protocol || '-' || s.id <> all(st.closed_inbounds) and s.id <> all(${except}::bigint[])
      and (${engine}::text is null or n.sells_without_engine or ${engine} = any(st.ready_engines))
      and (${sells('s', choice.homeId)} and s.used_slots < s.capacity or s.id = ${heldId ?? null}::bigint)
      and (${preferred}::bigint is null or exists (
        select 1 from servers p join inbounds o on o.server_id = p.id and o.protocol = ${protocol}
        where p.id = ${preferred}::bigint and ${isThere('p')} and ${isInScope('p', scope)}))
    order by (s.id is not distinct from ${preferred}::bigint) desc,
      (s.id is not distinct from ${heldId ?? null}::bigint) desc,
      is_troubled, available_slots desc, s.id`.execute(db)
  return rows
}

/** Nowhere to put it: said of the location itself when there is no such place. */
export const noServerIn = async (db: Db, locationId: number): Promise<ApiError> => {
  const place = await db
    .selectFrom('locations')
    .select('id')
    .where('id', '=', locationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const problem = 'does not exist; GET /locations lists those that do'
  return new ApiError('NO_SERVER_AVAILABLE', place ? undefined : [{ path: 'location_id', problem }])
}

/** Servers with room, most room first but for the preferred one. */
export const listAvailable = async (db: Db, choice: ServerChoice) =>
  (await findCandidates(db, choice)).map(({ id, available_slots }) => ({ id, available_slots }))

/** Whether what has a slot of this server could be of the choice there. */
export const canCarry = async (db: Db, serverId: number, choice: ServerChoice): Promise<boolean> =>
  (await findCandidates(db, choice, serverId)).some(({ id }) => id === serverId)

/** Whether the node is alive and has this engine, or sells without. */
export const findNodeReadiness = async (db: Db, nodeId: number, engine: EngineName, now: number) => {
  const { rows } = await sql<{ is_online: boolean; has_engine: boolean; sells_without_engine: boolean }>`
    select coalesce(st.last_seen_at >= ${now - onlineWithinSeconds}, false) as is_online,
      ${engine} = any(st.ready_engines) as has_engine, n.sells_without_engine
    from nodes n join node_status st on st.node_id = n.id where n.id = ${nodeId}`.execute(db)
  const row = rows[0]
  const isOnline = row?.is_online ?? false
  return {
    isOnline,
    hasEngine: isOnline && (row?.has_engine ?? false),
    sellsWithout: row?.sells_without_engine ?? false,
  }
}

/** Takes one more slot of this very server, if it sells and has one. Rivals for it wait for each other. */
const claimSlotOf = (tx: Db, serverId: number, homeId?: number): Promise<ClaimedServer | undefined> =>
  tx
    .updateTable('servers')
    .set((eb) => ({ used_slots: eb('used_slots', '+', 1) }))
    .where('id', '=', serverId)
    .where(sells('servers', homeId))
    .whereRef('used_slots', '<', 'capacity')
    .returning(['id', 'node_id', 'location_id'])
    .executeTakeFirst()

/** Takes a slot of each of these servers, or none: the one that has no room is told. */
export const claimSlotsOf = async (tx: Db, serverIds: readonly number[]): Promise<void> => {
  await lockServers(tx, serverIds)
  for (const id of serverIds) if (!(await claimSlotOf(tx, id))) throw new ApiError('NO_SERVER_AVAILABLE')
}

/** Whether each of these sells and has a free slot. */
export const haveRoom = async (db: Db, serverIds: readonly number[]): Promise<boolean> => {
  const { rows } = await sql<{ room: boolean }>`
    select coalesce(bool_and(state = 'selling' and used_slots < capacity), true) as room from servers
    where id = any(${serverIds}::bigint[])`.execute(db)
  return rows[0]?.room ?? false
}

/** One more of this server though it may be full: what was sold before goes on. */
export const claimBeyond = async (tx: Db, serverId: number): Promise<void> => {
  await tx
    .updateTable('servers')
    .set((eb) => ({ used_slots: eb('used_slots', '+', 1) }))
    .where('id', '=', serverId)
    .execute()
}

/** So many servers are nearly as good as the best, so that those who buy at once need not wait for each other. */
const nearlyBest = 8

/** Takes a slot of the first of these that nobody else is taking one of right now, if there is any. */
const claimFreeSlot = async (
  tx: Db,
  serverIds: readonly number[],
  homeId?: number,
): Promise<ClaimedServer | undefined> => {
  const { rows } = await sql<ClaimedServer>`
    update servers set used_slots = used_slots + 1 where id = (
      select s.id from servers s
      where s.id = any(${serverIds}::bigint[]) and ${sells('s', homeId)} and s.used_slots < s.capacity
      order by array_position(${serverIds}::bigint[], s.id) limit 1 for no key update skip locked)
    returning id, node_id, location_id`.execute(tx)
  return rows[0]
}

/** Takes a slot of the best server, or none. Whoever finds all that were seen taken meanwhile looks again. */
export const claimSlot = async (tx: Db, choice: ServerChoice): Promise<ClaimedServer | undefined> => {
  for (;;) {
    const seen = await findCandidates(tx, choice)
    const best = seen[0]
    if (!best) return undefined
    const isAskedFor = best.id === choice.preferredId
    const alike = seen.filter(({ is_troubled }) => is_troubled === best.is_troubled).slice(0, nearlyBest)
    const ids = alike.map(({ id }) => id)
    const free = isAskedFor ? undefined : await claimFreeSlot(tx, ids, choice.homeId)
    if (free) return free
    for (const candidate of seen) {
      const claimed = await claimSlotOf(tx, candidate.id, choice.homeId)
      if (claimed) return claimed
    }
  }
}

/**
 * Gives the slot of one server back and takes one of another, or nothing. The server that has it keeps it where it
 * can carry the choice, unless another is preferred and free. Both rows are locked in one order, so that customers who
 * change places do not wait for each other.
 */
export const swapSlot = async (
  tx: Db,
  fromServerId: number,
  choice: ServerChoice,
): Promise<ClaimedServer | undefined> => {
  for (;;) {
    const seen = await findCandidates(tx, choice, fromServerId)
    if (seen.length === 0) return undefined
    for (const candidate of seen) {
      if (candidate.id === fromServerId) return candidate
      await lockServers(tx, [fromServerId, candidate.id])
      if (!(await claimSlotOf(tx, candidate.id))) continue
      await releaseSlot(tx, fromServerId)
      return candidate
    }
  }
}

export const releaseSlot = async (tx: Db, serverId: number): Promise<void> => {
  await tx
    .updateTable('servers')
    .set((eb) => ({ used_slots: eb('used_slots', '-', 1) }))
    .where('id', '=', serverId)
    .execute()
}

/** In the order in which the round of expiry takes them, for changes that touch several. */
export const lockServers = async (tx: Db, ids: Iterable<number>): Promise<void> => {
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
