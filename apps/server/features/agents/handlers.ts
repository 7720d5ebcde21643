import type { Access, agent, DesiredState, Inbound } from '@sallyport/contract/agent'
import { ApiError } from '@sallyport/contract/errors'
import type { Bus } from '../../core/bus.ts'
import type { Handlers } from '../../core/call.ts'
import { inboundSecretContext } from '../../core/catalogue.ts'
import { vlessAccounts } from '../../core/endpoints.ts'
import { desiredHash } from '../../core/placements.ts'
import { sha256, type Vault } from '../../core/vault.ts'
import { type Db, inSnapshot, inTransaction } from '../../db/client.ts'
import {
  enrol,
  findRevision,
  foldHostStats,
  type InboundRow,
  listInbounds,
  listPlacements,
  meterTraffic,
  type PlacementRow,
  updateStatus,
} from './queries.ts'

const tagOf = (protocol: string, serverId: number): string => `${protocol}-${serverId}`

const toInbound = (vault: Vault, row: InboundRow): Inbound => ({
  tag: tagOf(row.protocol, row.server_id),
  protocol: 'vless',
  listen: row.listen_address,
  port: row.port,
  reality: {
    target: row.settings.target,
    // The empty name is for customers who chose to show none (disable_sni).
    server_names: [row.settings.server_name, ''],
    private_key: vault.open(row.secret_sealed, inboundSecretContext),
    short_ids: [row.settings.short_id],
  },
})

const toAccesses = (vault: Vault, placements: readonly PlacementRow[]): Access[] => {
  const rows = placements.map((row) => {
    if (!row.credential_nonce) throw new Error(`${row.item} is placed but its credentials are gone`)
    return { ...row, credential_nonce: row.credential_nonce }
  })
  const accounts = vlessAccounts(vault, rows)
  return rows.map((row, at) => ({
    id: row.item,
    revision: row.revision,
    inbound: tagOf(row.protocol, row.server_id),
    account: accounts[at] as (typeof accounts)[number],
  }))
}

/** Revision, hash and content speak of the same moment. */
const readState = (db: Db, vault: Vault, nodeId: number, since: number): Promise<DesiredState> =>
  inSnapshot(db, async (tx) => {
    const revision = await findRevision(tx, nodeId)
    const hash = await desiredHash(tx, nodeId)
    if (revision === since)
      return { kind: 'unchanged', revision, hash, inbounds: [], accesses: [], removed: [] }
    // An agent that knows a later revision than ours (a restored backup) starts anew.
    const from = since > revision ? 0 : since
    const inbounds = await listInbounds(tx, nodeId)
    const placements = await listPlacements(tx, nodeId, from)
    return {
      kind: from === 0 ? 'snapshot' : 'delta',
      revision,
      hash,
      inbounds: inbounds.map((row) => toInbound(vault, row)),
      accesses: toAccesses(
        vault,
        placements.filter((row) => row.is_present),
      ),
      removed: placements.filter((row) => !row.is_present).map((row) => row.item),
    }
  })

/** `done` resolves when the topic is announced, the time is over, or the caller or the service goes away. */
const startWaiting = (bus: Bus, topic: string, milliseconds: number, signal: AbortSignal) => {
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const stopListening = bus.on(topic, resolve)
  const timer = setTimeout(resolve, milliseconds)
  const onAbort = () => resolve()
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) resolve()
  const cancel = () => {
    stopListening()
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
  return { done, cancel }
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

  pollState: async ({ db, vault, bus, nodeId, query, abortSignal, stopping }) => {
    const deadline = performance.now() + (query.wait_seconds ?? 0) * 1000
    const signal = AbortSignal.any([abortSignal(), stopping])
    for (;;) {
      // Listening starts before reading, so that a change in between is not slept through.
      const remainingMs = Math.max(0, deadline - performance.now())
      const change = startWaiting(bus, `node:${nodeId}`, remainingMs, signal)
      try {
        const state = await readState(db, vault, nodeId, query.since)
        if (state.kind !== 'unchanged' || performance.now() >= deadline || signal.aborted) return state
        // A late message of an older change wakes for nothing; then there is nothing to tell yet.
        await change.done
      } finally {
        change.cancel()
      }
    }
  },

  report: ({ db, nodeId, body, now }) =>
    inTransaction(db, async (tx) => {
      await updateStatus(tx, nodeId, body, now)
      await foldHostStats(tx, nodeId, body.host, new Date(now * 1000).toISOString().slice(0, 10))
      await meterTraffic(tx, nodeId, body.traffic, now)
      return { desired_revision: await findRevision(tx, nodeId) }
    }),
}
