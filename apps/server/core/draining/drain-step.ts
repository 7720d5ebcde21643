import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import { findOption, listServers } from '../options/option-catalogue.ts'
import { placeFor, successorOf, syncConfigsToServers } from '../options/sync-configs-to-servers.ts'
import { type Term, termColumns, withEntries } from '../terms/terms.ts'
import { lockEntriesTo } from '../vpn/access/bridges.ts'
import { type LockedAccess, readAccess } from '../vpn/access/locked-access.ts'
import { listAccessesOf } from '../vpn/access/rows.ts'
import { noteRevisions } from '../vpn/operations/hold-access.ts'
import type { Mover } from '../vpn/operations/move-access.ts'
import { moveEnded, moveKeepingOld } from '../vpn/operations/move-keeping-old.ts'
import { forgetFailure, noteFailure } from './drain-failures.ts'
import { type Drain, joinDrain } from './drains.ts'
import {
  CannotMove,
  claimTarget,
  findOffering,
  NoPlace,
  requireOptions,
  type Where,
  whyNone,
} from './targets.ts'

/** One access away from its server, in a transaction of its own: it has moved, or nothing has happened. */

export interface Step {
  readonly serverId: number
  readonly accessId: number
}

/** Undefined when somebody else does something with it, or it is gone: the next round finds it if it is still there. */
const lockTermOf = async (tx: Db, accessId: number): Promise<Term | undefined> => {
  const { rows } = await sql<Term>`
    select ${termColumns} from terms t where t.id = (select term_id from accesses where id = ${accessId}::bigint)
      and t.state <> 'deleted' for update skip locked`.execute(tx)
  return (await withEntries(tx, rows))[0]
}

/** To another server with its slot, or without one where it has ended. */
export const moveAlone = async (tx: Db, at: Mover, access: LockedAccess, where: Where): Promise<void> => {
  await lockEntriesTo(tx, [access.id])
  const { protocol, options, term } = access
  if (term.state === 'active') {
    const server = await claimTarget(tx, access, where, at.now)
    const { id: serverId, node_id: nodeId, location_id: locationId } = server
    await moveKeepingOld(tx, at, access, { serverId, nodeId, locationId, protocol, options })
    return noteRevisions(tx, term)
  }
  const server = await findOffering(tx, where, protocol)
  if (!server) throw new NoPlace(await whyNone(tx, where, protocol, at.now))
  const { id: serverId, node_id: nodeId, location_id: locationId } = server
  if (locationId !== access.location_id) requireOptions(protocol, options, locationId)
  await moveEnded(tx, at, access, { serverId, nodeId, locationId, protocol, options })
}

/** Of an option that has ended: to where the option has its place now. */
const moveEndedOfOption = async (tx: Db, at: Mover, access: LockedAccess): Promise<void> => {
  const { term, protocol, options } = access
  const servers = await listServers(tx, term.product_id as number)
  const accesses = await listAccessesOf(tx, [term.id])
  const placed = accesses.find(({ id }) => id === access.id)
  const to =
    placed &&
    (successorOf(placed, accesses, servers) ?? (placed.position === null && placeFor(servers, placed)))
  if (!to || to.server_id === access.server_id) return
  await lockEntriesTo(tx, [access.id])
  const { server_id: serverId, node_id: nodeId, location_id: locationId } = to
  await moveEnded(tx, at, access, { serverId, nodeId, locationId, protocol, options })
}

/** The servers of an option say where its configurations are. */
const moveWithOption = async (tx: Db, at: Mover, access: LockedAccess, serverId: number): Promise<void> => {
  const { term } = access
  const option = await findOption(tx, term.product_id as number)
  if (!option) throw new CannotMove('its option is not there')
  if (term.state === 'active') await syncConfigsToServers(tx, at, term, option)
  else await moveEndedOfOption(tx, at, access)
  const after = await readAccess(tx, term, access.id)
  if (after?.server_id === serverId) {
    throw new CannotMove(`no other server of the option “${option.title_en}” can take it`)
  }
}

const take = (db: Db, at: Mover, step: Step): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const { serverId, accessId } = step
    const drain: Drain | undefined = await joinDrain(tx, serverId)
    if (!drain) return false
    const term = await lockTermOf(tx, accessId)
    const access = term && (await readAccess(tx, term, accessId))
    if (!access || access.server_id !== serverId) return true
    if (term.product === 'paid_options') await moveWithOption(tx, at, access, serverId)
    else {
      const where = { from: serverId, to: drain.to_server_ids, locationId: access.location_id }
      await moveAlone(tx, at, access, where)
    }
    await forgetFailure(tx, serverId, accessId)
    return true
  })

/** What came of it: the drain may be over, or the reason hold for everything like it. One that cannot move keeps nobody waiting. */
export const takeStep = async (db: Db, at: Mover, step: Step): Promise<'taken' | 'over' | NoPlace> => {
  try {
    return (await take(db, at, step)) ? 'taken' : 'over'
  } catch (error) {
    if (error instanceof NoPlace) return error
    if (!(error instanceof CannotMove)) throw error
    await noteFailure(db, { ...step, reason: error.message }, at.now)
    return 'taken'
  }
}
