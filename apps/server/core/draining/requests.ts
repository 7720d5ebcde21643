import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { ProductClass } from '@sallyport/contract/products'
import type { Db } from '../../db/client.ts'
import { listOptionsWith } from '../options/option-catalogue.ts'
import type { Term } from '../terms/terms.ts'
import { type LockedAccess, readAccess, requireOn } from '../vpn/access/locked-access.ts'
import type { Mover } from '../vpn/operations/move-access.ts'
import { moveAlone } from './drain-step.ts'
import { findDrain, type ShownDrain, showDrain } from './drains.ts'
import { listUnreplaced } from './option-servers.ts'
import { CannotMove } from './targets.ts'

/** What an operator may ask for: which servers are emptied to which, and which customer is moved. */

/** Of the operator's own, locked. */
export const lockOwnServer = (tx: Db, id: number) =>
  tx
    .selectFrom('servers')
    .select(['id', 'state'])
    .where('id', '=', id)
    .where('owner_term_id', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()

const listOwnServers = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('servers')
    .select(['id', 'state'])
    .where('id', 'in', ids)
    .where('owner_term_id', 'is', null)
    .execute()

/** Those that are named must be there, sell, and be others. */
export const requireTargets = async (
  tx: Db,
  from: number,
  ids: readonly number[],
  path: string,
): Promise<void> => {
  if (ids.includes(from)) throw badRequest(path, `${from} is the server itself; name others`)
  const servers = new Map((await listOwnServers(tx, ids)).map(({ id, state }) => [id, state]))
  const unknown = ids.find((id) => !servers.has(id))
  if (unknown !== undefined) throw badRequest(path, `${unknown} is no server of yours`)
  const shut = ids.find((id) => servers.get(id) !== 'selling')
  if (shut !== undefined) throw conflict(path, `server ${shut} does not sell: it is ${servers.get(shut)}`)
}

/** One that nobody empties is as one where that was stopped: everything is there still. */
export const showDrainOf = async (db: Db, id: number, now: number): Promise<ShownDrain> => {
  const drain = await findDrain(db, id)
  if (drain?.state === 'running') {
    const naming = await listOptionsWith(db, id)
    const failed = await listUnreplaced(db, drain, naming, now)
    return showDrain(db, drain, { count: naming.length, failed })
  }
  if (drain) return showDrain(db, drain)
  const [server] = await listOwnServers(db, [id])
  if (!server) throw new ApiError('NOT_FOUND')
  return showDrain(db, { server_id: id, state: 'stopped', to_server_ids: [], total: 0 })
}

/** Why one of a product cannot be moved by itself; null where it can. */
const boundBy: Readonly<Record<ProductClass, string | null>> = {
  configs: null,
  paid_options: 'is of an option, whose servers say where it is: drain the server, or change the option',
  cloud_servers: 'is a cloud server; nothing else can carry it',
}

/** The configuration of a term that is sold alone. */
const findOnlyAccess = (tx: Db, termId: number) =>
  tx
    .selectFrom('accesses')
    .select('id')
    .where('term_id', '=', termId)
    .where('beside_id', 'is', null)
    .executeTakeFirst()

/** What is sold alone has one, and may be put anywhere. */
export const requireMovable = async (tx: Db, term: Term, now: number): Promise<LockedAccess> => {
  const reason = boundBy[term.product]
  if (reason) throw conflict('id', reason)
  const only = await findOnlyAccess(tx, term.id)
  const access = only && (await readAccess(tx, term, only.id))
  if (!access) throw new ApiError('NOT_FOUND')
  try {
    requireOn(term, now, 'id')
  } catch (error) {
    throw error instanceof ApiError ? conflict('id', error.details?.[0]?.problem ?? 'is off') : error
  }
  return access
}

/** To this server and no other, or 409. */
export const moveTo = async (tx: Db, at: Mover, access: LockedAccess, serverId: number): Promise<void> => {
  const { server_id: from, location_id: locationId } = access
  await requireTargets(tx, from, [serverId], 'server_id')
  try {
    await moveAlone(tx, at, access, { from, to: [serverId], locationId })
  } catch (error) {
    throw error instanceof CannotMove ? conflict('server_id', error.message) : error
  }
}

/** When the last old link of an access ends; undefined without any. */
export const findHeldUntil = async (tx: Db, accessId: number): Promise<number | undefined> => {
  const row = await tx
    .selectFrom('held_accesses')
    .select('until')
    .where('access_id', '=', accessId)
    .where('is_live', '=', true)
    .orderBy('until', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.until
}
