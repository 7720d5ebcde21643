import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { findNodesOf, lockNodes, placeAgain } from '../../fleet/placements.ts'
import type { AccessRow } from '../access/access-row.ts'
import { findAccessRows } from '../access/access-row-reads.ts'
import { movedEdit } from '../access/instances.ts'
import { lockTermsOfAccesses } from '../access/locked-access.ts'
import { updateAccess } from '../access/rows.ts'
import type { Mover } from './move-access.ts'

/**
 * Accesses that were told to nodes with something of a server or a node in them: when that changes, they are told again.
 * What is shared needs nothing of the kind, for inbounds are read anew by themselves.
 */

export interface ChangedPlace {
  readonly of: { readonly serverId: number } | { readonly nodeId: number }
  /** What was told with something of it: personal instances with names, and whatever has a port with where it listens. */
  readonly personal: 'instances' | 'ports' | null
  /** Whether bridges that lead there have to learn something. */
  readonly isReachedAnew: boolean
}

export interface Dependants {
  readonly personal: readonly number[]
  /** Bridges that lead there begin with these. */
  readonly entries: readonly number[]
  /** As they were, of those whose customers wrote something of their own. */
  readonly edited: readonly AccessRow[]
}

export const noDependants: Dependants = { personal: [], entries: [], edited: [] }

const isThere = (of: ChangedPlace['of']) =>
  'serverId' in of
    ? sql`a.server_id = ${of.serverId}::bigint`
    : sql`a.server_id = any(array(select id from servers where node_id = ${of.nodeId}::bigint))`

const isPersonal = (personal: ChangedPlace['personal']) => {
  if (personal === null) return sql`false`
  return personal === 'ports' ? sql`a.port is not null` : sql`'use_extended_settings' = any(a.options)`
}

interface Dependant {
  readonly id: number
  readonly is_entry: boolean
  readonly is_edited: boolean
}

const listDependants = async (tx: Db, place: ChangedPlace): Promise<Dependant[]> => {
  const { rows } = await sql<Dependant>`
    select a.id, false as is_entry, a.xray_config_sealed is not null as is_edited
    from accesses a where ${isThere(place.of)} and ${isPersonal(place.personal)}
    union all
    select -a.id, false, false
    from held_accesses a where a.is_live and ${isThere(place.of)} and ${isPersonal(place.personal)}
    union all
    select b.entry_id, true, false
    from accesses a join bridges b on b.exit_id = a.id
    where ${isThere(place.of)} and ${place.isReachedAnew}
    order by 1`.execute(tx)
  return rows
}

/** Before servers and nodes are locked: whoever changes an access locks its term. */
export const holdDependants = async (tx: Db, place: ChangedPlace): Promise<Dependants> => {
  const seen = await listDependants(tx, place)
  if (seen.length === 0) return noDependants
  await lockTermsOfAccesses(
    tx,
    seen.map(({ id }) => id),
  )
  const held = await listDependants(tx, place)
  const idsOf = (which: (one: Dependant) => boolean) => held.filter(which).map(({ id }) => id)
  const edited = await findAccessRows(
    tx,
    idsOf((one) => one.is_edited),
  )
  return {
    personal: idsOf((one) => !one.is_entry),
    entries: idsOf((one) => one.is_entry),
    edited: [...edited.values()],
  }
}

/** Their nodes with those that change, in the order in which everything locks them. */
export const lockNodesOf = async (tx: Db, held: Dependants, nodeId: number): Promise<void> =>
  lockNodes(tx, [nodeId, ...(await findNodesOf(tx, [...held.personal, ...held.entries]))])

/** After the change. What customers wrote themselves follows it, as it does to another server. */
export const tellDependants = async (tx: Db, { vault, bus }: Mover, held: Dependants): Promise<void> => {
  const now = await findAccessRows(
    tx,
    held.edited.map(({ id }) => id),
  )
  for (const before of held.edited) {
    const after = now.get(before.id)
    if (after) await updateAccess(tx, before.id, { xray_config_sealed: movedEdit(vault, before, after) })
  }
  await placeAgain(tx, bus, [...new Set([...held.personal, ...held.entries])], true)
}
