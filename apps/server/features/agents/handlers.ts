import type { Access, DesiredState } from '@sallyport/contract/agent/agent'
import type { agent } from '@sallyport/contract/agent/operations'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import { dayOf } from '@sallyport/domain/time/period'
import type { Handlers } from '../../core/call.ts'
import { toInbound } from '../../core/fleet/inbounds.ts'
import { meterTraffic, noteRefused } from '../../core/fleet/metering.ts'
import { tellMoved } from '../../core/fleet/moved-terms.ts'
import { desiredHash, itemOf } from '../../core/fleet/placements.ts'
import { answerTrial, listOpenTrials } from '../../core/fleet/trials.ts'
import { startWaiting } from '../../core/kernel/bus.ts'
import { sha256, type Vault } from '../../core/kernel/vault.ts'
import { isExtended } from '../../core/vpn/access/carried.ts'
import {
  certificatesOf,
  findCarried,
  findExits,
  findHomelands,
  findProxies,
} from '../../core/vpn/access/carried-reads.ts'
import { configAccess, proxyAccess } from '../../core/vpn/access/node-state.ts'
import { findOwnTargets } from '../../core/vpn/access/own-targets.ts'
import { afterCommit, type Db, inSnapshot, inTransaction } from '../../db/client.ts'
import {
  enrol,
  findRebootWish,
  findRevision,
  foldHostStats,
  listInbounds,
  listPlacements,
  type PlacementRow,
  updateStatus,
} from './queries.ts'
import { noteRefusals } from './refusals.ts'

/** Clocks of machines differ a little. */
const clockSkewSeconds = 300

const toAccesses = async (tx: Db, vault: Vault, rows: readonly PlacementRow[]): Promise<Access[]> => {
  const ids = rows.map((row) => row.access_id)
  const carried = await findCarried(tx, ids)
  const exits = await findExits(tx, [...carried.keys()])
  const homelands = await findHomelands(tx, [...exits.keys()])
  const proxies = await findProxies(tx, ids)
  const instances = [...carried.values()].filter(isExtended)
  const certificate = await certificatesOf(tx, vault, [...new Set(instances.map((row) => row.server_id))])
  return rows.map(({ access_id: id, revision }) => {
    const entry = { item: itemOf(id), revision }
    const proxy = proxies.get(id)
    if (proxy) return proxyAccess(vault, entry, proxy)
    const config = carried.get(id)
    if (!config) throw new Error(`Access ${id} is placed but not there`)
    return configAccess(vault, entry, {
      config,
      exit: exits.get(id),
      home: homelands.get(id),
      certificate: () => certificate(config.server_id),
    })
  })
}

/** Revision, hash and content speak of the same moment. */
const readState = (db: Db, vault: Vault, nodeId: number, since: number): Promise<DesiredState> =>
  inSnapshot(db, async (tx) => {
    const revision = await findRevision(tx, nodeId)
    const hash = await desiredHash(tx, nodeId)
    const always = {
      own_targets: await findOwnTargets(tx, nodeId),
      trials: await listOpenTrials(tx, vault, nodeId),
      reboot_asked_at: await findRebootWish(tx, nodeId),
    }
    if (revision === since)
      return { kind: 'unchanged', revision, hash, inbounds: [], accesses: [], removed: [], ...always }
    // An agent that knows a later revision than ours (a restored backup) starts anew.
    const from = since > revision ? 0 : since
    const inbounds = await listInbounds(tx, nodeId)
    const placements = await listPlacements(tx, nodeId, from)
    return {
      kind: from === 0 ? 'snapshot' : 'delta',
      revision,
      hash,
      inbounds: inbounds.map((row) => toInbound(vault, row)).filter((inbound) => inbound !== null),
      accesses: await toAccesses(
        tx,
        vault,
        placements.filter((row) => row.is_present),
      ),
      removed: placements.filter((row) => !row.is_present).map((row) => itemOf(row.access_id)),
      ...always,
    }
  })

export const agentHandlers: Handlers<typeof agent> = {
  enrolNode: async ({ db, bus, body, now }) => {
    const nodeId = await inTransaction(db, async (tx) => {
      const node = await enrol(tx, sha256(body.token), body.public_key, now)
      if (!node) {
        throw new ApiError('UNAUTHORIZED', [
          { path: 'token', problem: 'is unknown, used or expired; ask for a new one' },
        ])
      }
      await bus.publish(tx, `auth:n:${node.id}`)
      return node.id
    })
    bus.deliver(`auth:n:${nodeId}`)
    return { node_id: nodeId }
  },

  pollState: async ({ db, vault, bus, nodeId, query, abortSignal, stopping }) => {
    const deadline = performance.now() + (query.wait_seconds ?? 0) * 1000
    const signal = AbortSignal.any([abortSignal(), stopping])
    for (;;) {
      // Listening starts before reading, so that a change in between is not slept through.
      const remainingMs = Math.max(0, deadline - performance.now())
      const change = startWaiting(bus, `node:${nodeId}`, remainingMs, signal)
      try {
        const state = await readState(db, vault, nodeId, query.since)
        const hasNews = state.kind !== 'unchanged' || state.trials.length > 0
        if (hasNews || performance.now() >= deadline || signal.aborted) return state
        // A late message of an older change wakes for nothing; then there is nothing to tell yet.
        await change.done
      } finally {
        change.cancel()
      }
    }
  },

  report: async ({ db, bus, nodeId, body, now }) => {
    if ((body.reported_at ?? 0) > now + clockSkewSeconds) {
      await noteRefused(db, nodeId, Math.max(1, body.traffic.length))
      throw badRequest('reported_at', 'is in the future; set the clock of the machine')
    }
    return inTransaction(db, async (tx) => {
      await updateStatus(tx, nodeId, body, now)
      await foldHostStats(tx, nodeId, body.host, dayOf(now))
      const moved = tellMoved(await meterTraffic(tx, nodeId, body.traffic, now))
      if (moved !== undefined) {
        await bus.publish(tx, moved)
        afterCommit(() => bus.deliver(moved))
      }
      await noteRefusals(tx, nodeId, body.refused, now)
      return { desired_revision: await findRevision(tx, nodeId) }
    })
  },

  answerTrial: async ({ db, bus, nodeId, params, body }) => {
    const isAnswered = await inTransaction(db, (tx) =>
      answerTrial(tx, bus, { nodeId, id: params.id, isAccepted: body.is_accepted, reason: body.reason }),
    )
    if (!isAnswered) throw new ApiError('NOT_FOUND')
    return true
  },
}
