import { randomBytes } from 'node:crypto'
import { meterTraffic } from '../apps/server/core/fleet/metering.ts'
import { personalPorts, releasePort, takePort } from '../apps/server/core/fleet/node-ports.ts'
import { desiredHash, findNodesOf, itemOf, place, placeAgain } from '../apps/server/core/fleet/placements.ts'
import { listAvailable } from '../apps/server/core/fleet/servers.ts'
import { forgetCountersOf, forgetTombstones } from '../apps/server/core/fleet/tombstones.ts'
import {
  findAccessRows,
  findExits,
  findHomelands,
  findProxies,
  findProxyBeside,
} from '../apps/server/core/vpn/access/access-row-reads.ts'
import {
  findBridge,
  findBridgeFrom,
  listBridges,
  lockEntriesTo,
  refreshBridgesTo,
  removeBridgesTo,
  storeBridge,
} from '../apps/server/core/vpn/access/bridges.ts'
import { type LockedAccess, lockAccess } from '../apps/server/core/vpn/access/locked-access.ts'
import {
  changeTitle,
  findAccess,
  listAccesses,
  ownsAccess,
  showStats,
} from '../apps/server/core/vpn/access/reads.ts'
import {
  eraseAccesses,
  insertAccess,
  listAccessesOf,
  updateAccess,
} from '../apps/server/core/vpn/access/rows.ts'
import { takeDueWarpAccounts } from '../apps/server/core/vpn/access/warp.ts'
import { moveAccess } from '../apps/server/core/vpn/operations/move-access.ts'
import { destroyAccesses, switchAccessesOff } from '../apps/server/core/vpn/operations/server-slots.ts'
import type { Db } from '../apps/server/db/client.ts'
import {
  findRefused,
  findRevision,
  listInbounds,
  listPlacements,
} from '../apps/server/features/agents/queries.ts'
import type { Sample } from './sample.ts'
import type { Work } from './scans.ts'
import { makeTools } from './terms-plans.ts'

/** Accesses, what customers do with them, and the nodes that carry them. */

const accessWorks = (sample: Sample): readonly Work[] => {
  const { userId, accessId, proxyId, termId, termIds, serverId, now } = sample
  const tools = { ...makeTools(), now }
  const owner = { userId, product: 'configs' } as const
  const made = { termId, serverId, locationId: 1, protocol: 'vless', credentialNonce: randomBytes(16), now }
  const held = async (tx: Db) => (await lockAccess(tx, owner, accessId)) as LockedAccess
  const termsOf = (state: 'active' | 'expired') => termIds.map((id) => ({ id, state }))
  return [
    ['accesses', (tx) => listAccesses(tx, owner, { now, limit: 1000, offset: 0 })],
    [
      'accesses of an item',
      (tx) => listAccesses(tx, { ...owner, itemId: accessId }, { now, limit: 9, offset: 0 }),
    ],
    ['an access', (tx) => findAccess(tx, owner, now, accessId)],
    ['whose an access is', (tx) => ownsAccess(tx, owner, accessId)],
    ['an access that is held', held],
    ['a title', (tx) => changeTitle(tx, owner, accessId, 'bench')],
    ['stats', (tx) => showStats(tx, owner, accessId, now)],
    ['a new access', (tx) => insertAccess(tx, made)],
    ['a change of an access', (tx) => updateAccess(tx, accessId, { port: null })],
    [
      'a proxy that goes',
      async (tx) => {
        await placeAgain(tx, tools.bus, [proxyId], false)
        await eraseAccesses(tx, [proxyId])
      },
    ],
    ['accesses of terms', (tx) => listAccessesOf(tx, termIds)],
    ['accesses that are switched off', (tx) => switchAccessesOff(tx, tools, termIds)],
    ['accesses that are destroyed', (tx) => destroyAccesses(tx, tools, termsOf('active'))],
    [
      'a move',
      async (tx) => {
        const access = await held(tx)
        const to = {
          nodeId: 1,
          serverId: 1,
          locationId: 1,
          protocol: access.protocol,
          options: access.options,
        }
        await moveAccess(tx, tools, access, to)
      },
    ],
    ['WARP accounts to register', (tx) => takeDueWarpAccounts(tx, now, 60)],
  ]
}

const bridgeWorks = ({ userId, accessId, accessIds, now }: Sample): readonly Work[] => {
  const { bus } = makeTools()
  return [
    ['bridges', (tx) => listBridges(tx, userId)],
    ['a bridge', (tx) => findBridge(tx, userId, 77)],
    ['a bridge by its entry', (tx) => findBridgeFrom(tx, accessId)],
    ['a new bridge', (tx) => storeBridge(tx, { userId, entryId: accessId, exitId: accessId + 1, now })],
    ['entries of bridges', (tx) => lockEntriesTo(tx, accessIds)],
    ['bridges to refresh', (tx) => refreshBridgesTo(tx, bus, accessId)],
    ['bridges that go', (tx) => removeBridgesTo(tx, bus, accessIds, now)],
  ]
}

const nodeWorks = (sample: Sample): readonly Work[] => {
  const { nodeId, serverId, accessId, accessIds, carried, now } = sample
  const { bus } = makeTools()
  const counters = sample.reported.map((id) => ({ id: itemOf(id), boot_id: 'boot', up: 2000, down: 2000 }))
  const refused = carried.slice(0, 100).map((id) => ({ id: itemOf(id), revision: 1, reason: 'bench' }))
  return [
    ['a placement', (tx) => place(tx, bus, { nodeId, serverId, accessId, isPresent: true })],
    ['placements again', (tx) => placeAgain(tx, bus, accessIds, true)],
    ['nodes of accesses', (tx) => findNodesOf(tx, accessIds)],
    ['the fingerprint of a node', (tx) => desiredHash(tx, nodeId)],
    ['the state of a node', (tx) => listPlacements(tx, nodeId, 0)],
    [
      'what is new for a node',
      async (tx) => listPlacements(tx, nodeId, (await findRevision(tx, nodeId)) - 100),
    ],
    ['inbounds of a node', (tx) => listInbounds(tx, nodeId)],
    ['what a node carries', (tx) => findAccessRows(tx, carried)],
    ['a few that a node carries', (tx) => findAccessRows(tx, carried.slice(0, 3))],
    ['exits of bridges', (tx) => findExits(tx, carried)],
    ['homelands', (tx) => findHomelands(tx, carried)],
    ['proxies', (tx) => findProxies(tx, carried)],
    ['the proxy of a configuration', (tx) => findProxyBeside(tx, accessId)],
    ['traffic', (tx) => meterTraffic(tx, nodeId, counters, now)],
    ['traffic of a few', (tx) => meterTraffic(tx, nodeId, counters.slice(0, 3), now)],
    ['what an engine refused', (tx) => findRefused(tx, nodeId, refused)],
    ['a port', (tx) => takePort(tx, nodeId, { accessId }, personalPorts)],
    ['a port that is given back', (tx) => releasePort(tx, nodeId, accessId)],
    ['available servers', (tx) => listAvailable(tx, { locationId: 1, protocol: 'vless', isNew: true, now })],
    // A fifth of the copies are over.
    ['tombstones', (tx) => forgetTombstones(tx), ['held_accesses']],
    ['old counters of a node', (tx) => forgetCountersOf(tx, nodeId, 1_702_600_000)],
  ]
}

export const vpnWorks = (sample: Sample): readonly Work[] => [
  ...accessWorks(sample),
  ...bridgeWorks(sample),
  ...nodeWorks(sample),
]
