import { ApiError, conflict } from '@sallyport/contract/errors'
import type { drainRows } from '@sallyport/contract/operator/fleet/drain'
import type { Handlers } from '../../../core/call.ts'
import { emptyServersJob } from '../../../core/draining/drain-job.ts'
import { endDrain, lockDrain, storeDrain } from '../../../core/draining/drains.ts'
import {
  findHeldUntil,
  lockOwnServer,
  moveTo,
  requireMovable,
  requireTargets,
  showDrainOf,
} from '../../../core/draining/requests.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'
import { lockTermById } from '../../../core/terms/terms.ts'
import { heldSeconds } from '../../../core/vpn/operations/hold-access.ts'

/** Servers that are emptied, and one customer who is moved. */

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
      return audited(await showDrainOf(tx, id, now), {
        ...state,
        after: { drain: 'running', to_server_ids: toServerIds },
      })
    },

  showDrain: async ({ db, params: { id }, now }) => showDrainOf(db, id, now),

  stopDrain:
    ({ params: { id }, now }) =>
    async (tx) => {
      const drain = await lockDrain(tx, id)
      if (!drain || drain.state === 'stopped') return unchanged(await showDrainOf(tx, id, now))
      if (drain.state === 'done') throw conflict('id', 'is emptied already; there is nothing to stop')
      await endDrain(tx, id, 'stopped', now)
      return audited(await showDrainOf(tx, id, now), {
        before: { drain: 'running' },
        after: { drain: 'stopped' },
      })
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
      await moveTo(tx, { vault, bus, now }, access, serverId)
      const moved = { server_id: serverId, old_works_until: now + heldSeconds }
      return audited(moved, { before: { server_id: from }, after: { server_id: serverId } })
    },
}
