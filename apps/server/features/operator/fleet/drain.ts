import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { drainRows } from '@sallyport/contract/operator/fleet/drain'
import type { Handlers } from '../../../core/call.ts'
import { emptyServersJob } from '../../../core/draining/drain-job.ts'
import { moveAlone } from '../../../core/draining/drain-step.ts'
import { endDrain, findDrain, lockDrain, showDrain, storeDrain } from '../../../core/draining/drains.ts'
import { CannotMove } from '../../../core/draining/targets.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'
import { lockTermById, type Term } from '../../../core/terms/terms.ts'
import { type LockedAccess, readAccess, requireOn } from '../../../core/vpn/access/locked-access.ts'
import { heldSeconds } from '../../../core/vpn/operations/hold-access.ts'
import type { Db } from '../../../db/client.ts'
import { findHeldUntil, findOnlyAccess, listOwnServers, lockOwnServer } from './drain-queries.ts'

/** Servers that are emptied, and one customer who is moved. */

/** Those that are named must be there, sell, and be others. */
const requireTargets = async (tx: Db, from: number, ids: readonly number[], path: string): Promise<void> => {
  if (ids.includes(from)) throw badRequest(path, `${from} is the server itself; name others`)
  const servers = new Map((await listOwnServers(tx, ids)).map(({ id, state }) => [id, state]))
  const unknown = ids.find((id) => !servers.has(id))
  if (unknown !== undefined) throw badRequest(path, `${unknown} is no server of yours`)
  const shut = ids.find((id) => servers.get(id) !== 'selling')
  if (shut !== undefined) throw conflict(path, `server ${shut} does not sell: it is ${servers.get(shut)}`)
}

/** One that nobody empties is as one where that was stopped: everything is there still. */
const shownState = async (db: Db, id: number) => {
  const drain = await findDrain(db, id)
  if (drain) return showDrain(db, drain)
  const [server] = await listOwnServers(db, [id])
  if (!server) throw new ApiError('NOT_FOUND')
  return showDrain(db, { server_id: id, state: 'stopped', to_server_ids: [], total: 0 })
}

/** What is sold alone has one, and may be put anywhere. */
const requireMovable = async (tx: Db, term: Term, now: number): Promise<LockedAccess> => {
  if (term.product === 'paid_options') {
    throw conflict(
      'id',
      'is of an option, whose servers say where it is: drain the server, or change the option',
    )
  }
  if (term.product === 'cloud_servers') throw conflict('id', 'is a cloud server; nothing else can carry it')
  const [only] = await findOnlyAccess(tx, term.id)
  const access = only && (await readAccess(tx, term, only.id))
  if (!access) throw new ApiError('NOT_FOUND')
  try {
    requireOn(term, now, 'id')
  } catch (error) {
    throw error instanceof ApiError ? conflict('id', error.details?.[0]?.problem ?? 'is off') : error
  }
  return access
}

export const drainHandlers: Handlers<typeof drainRows> = {
  startDrain:
    ({ params: { id }, body, now, kick }) =>
    async (tx) => {
      // Before the server, as everything that ends a drain takes them.
      const before = await lockDrain(tx, id)
      const server = await lockOwnServer(tx, id)
      if (!server) throw new ApiError('NOT_FOUND')
      if (server.state === 'retired') throw conflict('id', 'is retired; nobody is on it')
      const toServerIds = body.to_server_ids ?? []
      if (toServerIds.length > 0) await requireTargets(tx, id, toServerIds, 'to_server_ids')
      await storeDrain(tx, { serverId: id, toServerIds, now })
      kick(emptyServersJob)
      const state = { before: { drain: before?.state ?? null, to_server_ids: before?.to_server_ids ?? [] } }
      return audited(await shownState(tx, id), {
        ...state,
        after: { drain: 'running', to_server_ids: toServerIds },
      })
    },

  showDrain: async ({ db, params: { id } }) => shownState(db, id),

  stopDrain:
    ({ params: { id }, now }) =>
    async (tx) => {
      const drain = await lockDrain(tx, id)
      if (!drain || drain.state === 'stopped') return unchanged(await shownState(tx, id))
      if (drain.state === 'done') throw conflict('id', 'is emptied already; there is nothing to stop')
      await endDrain(tx, id, 'stopped', now)
      return audited(await shownState(tx, id), { before: { drain: 'running' }, after: { drain: 'stopped' } })
    },

  moveTerm:
    ({ params: { id }, body: { server_id: serverId }, vault, bus, now }) =>
    async (tx) => {
      const term = await lockTermById(tx, id)
      if (!term) throw new ApiError('NOT_FOUND')
      const access = await requireMovable(tx, term, now)
      const from = access.server_id
      if (from === serverId) {
        const until = (await findHeldUntil(tx, access.id)) ?? now
        return unchanged({ server_id: serverId, old_works_until: until })
      }
      await requireTargets(tx, from, [serverId], 'server_id')
      try {
        await moveAlone(tx, { vault, bus, now }, access, {
          from,
          to: [serverId],
          locationId: access.location_id,
        })
      } catch (error) {
        throw error instanceof CannotMove ? conflict('server_id', error.message) : error
      }
      const moved = { server_id: serverId, old_works_until: now + heldSeconds }
      return audited(moved, { before: { server_id: from }, after: { server_id: serverId } })
    },
}
