import type { Access, DesiredState } from '@sallyport/contract/agent/agent'
import type { agent } from '@sallyport/contract/agent/operations'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { Call, Handlers } from '../../core/call.ts'
import { tellMoved } from '../../core/fleet/changed-traffic-message.ts'
import { toInbound } from '../../core/fleet/inbounds.ts'
import { meterTraffic, noteRefused } from '../../core/fleet/metering.ts'
import { desiredHash, isCopy, itemOf } from '../../core/fleet/placements.ts'
import { clockSkewSeconds } from '../../core/fleet/traffic-plausibility.ts'
import { answerTrial, listOpenTrials } from '../../core/fleet/trials.ts'
import { startWaiting } from '../../core/kernel/bus.ts'
import { sha256, type Vault } from '../../core/kernel/vault.ts'
import { isExtended } from '../../core/vpn/access/access-row.ts'
import {
  certificatesOf,
  findAccessRows,
  findExits,
  findHomelands,
  findProxies,
} from '../../core/vpn/access/access-row-reads.ts'
import { findHeldConfigs, findHeldProxies } from '../../core/vpn/access/held-rows.ts'
import { configAccess, proxyAccess } from '../../core/vpn/access/node-state.ts'
import { findOwnTargets } from '../../core/vpn/access/own-targets.ts'
import { noteUncarried } from '../../core/vpn/failover/record-failures.ts'
import { afterCommit, type Db, inSnapshot, inTransaction } from '../../db/client.ts'
import { agentsHere } from './here.ts'
import type { OpenPoll } from './polls.ts'
import {
  enrol,
  findNode,
  findRevision,
  foldHostStats,
  listInbounds,
  listPlacements,
  lookForNews,
  noteHeard,
  type PlacementRow,
  updateStatus,
} from './queries.ts'
import { noteRefusals, tellRefused } from './refusals.ts'

/** Both under the name that they are placed by: of accesses, and of copies of how some were. */
const readPlaced = async (tx: Db, ids: readonly number[]) => {
  const copies = ids.filter(isCopy).map((id) => -id)
  const present = ids.filter((id) => !isCopy(id))
  const held = await findHeldConfigs(tx, copies)
  const configs = new Map([
    ...(await findAccessRows(tx, present)),
    ...[...held].map(([id, { config }]) => [-id, config] as const),
  ])
  const proxies = new Map([
    ...(await findProxies(tx, present)),
    ...[...(await findHeldProxies(tx, copies))].map(([id, proxy]) => [-id, proxy] as const),
  ])
  return { configs, proxies, held }
}

const toAccesses = async (tx: Db, vault: Vault, rows: readonly PlacementRow[]): Promise<Access[]> => {
  const { configs, proxies, held } = await readPlaced(
    tx,
    rows.map((row) => row.access_id),
  )
  const carried = [...configs.values()]
  const exits = await findExits(tx, [...new Set(carried.map(({ id }) => id))])
  const homelands = await findHomelands(tx, [...exits.keys()])
  const servers = carried.filter(isExtended).map((row) => row.server_id)
  const certificate = await certificatesOf(tx, vault, [...new Set(servers)])
  return rows.map(({ access_id: id, revision }) => {
    const entry = { item: itemOf(id), revision }
    const proxy = proxies.get(id)
    if (proxy) return proxyAccess(vault, entry, proxy)
    const config = configs.get(id)
    if (!config) throw new Error(`Access ${id} is placed but not there`)
    return configAccess(vault, entry, {
      config,
      exit: exits.get(config.id),
      home: isCopy(id) ? held.get(-id)?.home : homelands.get(id),
      certificate: () => certificate(config.server_id),
    })
  })
}

type Poll = Call<typeof agent.pollState>

/** Revision, hash and content speak of the same moment. */
const readState = ({ db, vault, nodeId, nodeKey, query }: Poll): Promise<DesiredState> =>
  inSnapshot(db, async (tx) => {
    const { since } = query
    const node = await findNode(tx, nodeId)
    // Since it was let in it was removed, or its machine is another one.
    if (node?.public_key !== nodeKey) throw new ApiError('UNAUTHORIZED')
    const { desired_revision: revision, reboot_asked_at, upgrade_to } = node
    const hash = await desiredHash(tx, nodeId)
    const always = {
      own_targets: await findOwnTargets(tx, nodeId),
      trials: await listOpenTrials(tx, vault, nodeId),
      reboot_asked_at,
      upgrade_to,
      reads: ['not_carried', 'agent_release'],
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
      caused_by: causesOf(node.caused_by, from === 0 ? [] : placements),
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

const mostCauses = 20

/** Who made the changes that are told; of a snapshot who made the last. */
const causesOf = (last: string | null, placements: readonly PlacementRow[]): string[] => {
  const causes = [...placements.map((row) => row.caused_by), last].filter((cause) => cause !== null)
  return [...new Set(causes)].slice(-mostCauses)
}

const isNews = ({ kind, trials, upgrade_to }: DesiredState): boolean =>
  kind !== 'unchanged' || trials.length > 0 || Boolean(upgrade_to)

/** Most of those who ask have all there is, which is told without reading it. */
const hasNews = async ({ db, nodeId, nodeKey, query }: Poll): Promise<boolean> => {
  const [node] = await lookForNews(db, nodeId, query.since)
  if (node?.public_key !== nodeKey) throw new ApiError('UNAUTHORIZED')
  return node.has_news
}

/** Reads stand in line and take their turn; who waits for news does not. */
const untilNews = async (call: Poll, poll: OpenPoll): Promise<DesiredState> => {
  const { db, bus, nodeId, query, abortSignal, stopping, aside } = call
  const { turns } = agentsHere(bus)
  const deadline = performance.now() + (query.wait_seconds ?? 0) * 1000
  const isLeaving = AbortSignal.any([abortSignal(), stopping])
  const signal = AbortSignal.any([isLeaving, poll.signal])
  for (let isFirst = true; ; isFirst = false) {
    // Listening starts before reading, so that a change in between is not slept through.
    const remainingMs = Math.max(0, deadline - performance.now())
    const change = startWaiting(bus, `node:${nodeId}`, remainingMs, signal)
    const { doubts } = poll
    try {
      const state = await turns.take(nodeId, async () => {
        poll.check()
        if (isFirst && remainingMs > 0 && !(await hasNews(call))) return undefined
        return readState(call)
      })
      poll.check()
      if (poll.doubts !== doubts) continue
      if (state && (isNews(state) || performance.now() >= deadline)) return state
      await poll.announce(db)
      // A late message of an older change wakes for nothing; then there is nothing to tell yet.
      await aside(() => change.done)
      if (isLeaving.aborted) return state ?? (await readState(call))
    } finally {
      change.cancel()
    }
  }
}

/** So many counters take PostgreSQL some 20 ms and more. */
const largeReport = 1000

const takeReport = async (call: Call<typeof agent.report>) => {
  const { db, bus, refusedCounters, nodeId, body, now } = call
  if ((body.reported_at ?? 0) > now + clockSkewSeconds) {
    const count = Math.max(1, body.traffic.length)
    await noteRefused(db, nodeId, count)
    refusedCounters.add('future', count)
    throw badRequest('reported_at', 'is in the future; set the clock of the machine')
  }
  return inTransaction(db, async (tx) => {
    // It was removed a moment ago.
    if (!(await updateStatus(tx, nodeId, body, now))) throw new ApiError('UNAUTHORIZED')
    const metered = await meterTraffic(tx, nodeId, body.traffic, now)
    await foldHostStats(tx, nodeId, body.host, now)
    await tellRefused(tx, refusedCounters, { nodeId, refused: metered.refused, now })
    const moved = tellMoved(metered.moved)
    if (moved !== undefined) {
      await bus.publish(tx, moved)
      afterCommit(() => bus.deliver(moved))
    }
    await noteUncarried(tx, nodeId, body, now)
    await noteRefusals(tx, nodeId, body, now)
    return { desired_revision: await findRevision(tx, nodeId) }
  })
}

/** What waits for its place leaves the line of requests meanwhile. Who is sent away is heard of all the same, and not taken for silent. */
const takeLarge = async <T>(
  { bus, db, nodeId, now, aside }: Call<typeof agent.report>,
  take: () => Promise<T>,
) => {
  try {
    return await agentsHere(bus).largeReports.take(take, aside)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAVAILABLE') await noteHeard(db, nodeId, now)
    throw error
  }
}

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

  pollState: async (call) => {
    const { polls } = agentsHere(call.bus)
    const poll = polls.begin(call.nodeId)
    try {
      return await untilNews(call, poll)
    } finally {
      polls.leave(poll)
    }
  },

  report: (call) => {
    const { turns, reportTurns } = agentsHere(call.bus)
    const { nodeId, body } = call
    // Only what works has the turn of the node: its polls do not stand behind a report that waits for a place.
    const take = () => turns.take(nodeId, () => takeReport(call))
    const isLarge = body.traffic.length >= largeReport
    return reportTurns.take(nodeId, isLarge ? () => takeLarge(call, take) : take)
  },

  answerTrial: async ({ db, bus, nodeId, params, body }) => {
    const isAnswered = await inTransaction(db, (tx) =>
      answerTrial(tx, bus, { nodeId, id: params.id, isAccepted: body.is_accepted, reason: body.reason }),
    )
    if (!isAnswered) throw new ApiError('NOT_FOUND')
    return true
  },
}
