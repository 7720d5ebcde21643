import { randomInt } from 'node:crypto'
import { ApiError, conflict } from '@sallyport/contract/errors'
import type { Protocol } from '@sallyport/contract/shapes'
import type { Db } from '../../db/client.ts'
import { tagOf } from './inbounds.ts'

/** Ports of nodes. Both ranges lie below the ones that Linux gives to outgoing connections. */

interface Range {
  readonly first: number
  readonly last: number
}

/** For personal instances, interfaces and proxies. */
export const personalPorts: Range = { first: 10_000, last: 19_999 }
/** For what servers offer to many, when the operator does not say. */
export const sharedPorts: Range = { first: 20_000, last: 29_999 }

/** An inbound of a server, by its tag, or an access. */
export type PortOwner = { readonly inbound: string } | { readonly accessId: number }

const ownerColumns = (owner: PortOwner) =>
  'inbound' in owner
    ? { inbound: owner.inbound, access_id: null }
    : { inbound: null, access_id: owner.accessId }

const randomTries = 20

/** Those of the wanted that nobody had. */
const insert = async (
  tx: Db,
  nodeId: number,
  wanted: ReadonlyMap<number, PortOwner>,
): Promise<ReadonlySet<number>> => {
  if (wanted.size === 0) return new Set()
  const rows = await tx
    .insertInto('node_ports')
    .values([...wanted].map(([port, owner]) => ({ node_id: nodeId, port, ...ownerColumns(owner) })))
    .onConflict((oc) => oc.columns(['node_id', 'port']).doNothing())
    .returning('port')
    .execute()
  return new Set(rows.map((row) => row.port))
}

const firstFree = async (tx: Db, nodeId: number, { first, last }: Range): Promise<number | undefined> => {
  const rows = await tx
    .selectFrom('node_ports')
    .select('port')
    .where('node_id', '=', nodeId)
    .where('port', '>=', first)
    .where('port', '<=', last)
    .execute()
  const taken = new Set(rows.map((row) => row.port))
  for (let port = first; port <= last; port++) if (!taken.has(port)) return port
  return undefined
}

const noFreePort = () =>
  new ApiError('NO_SERVER_AVAILABLE', [{ path: 'server_id', problem: 'the server has no free port' }])

/** A free port of the range for each, in their order; unguessable while there are many. */
export const takePorts = async (
  tx: Db,
  nodeId: number,
  owners: readonly PortOwner[],
  range: Range,
): Promise<number[]> => {
  const given = new Map<PortOwner, number>()
  const take = async (wanted: ReadonlyMap<number, PortOwner>) => {
    for (const port of await insert(tx, nodeId, wanted)) given.set(wanted.get(port) as PortOwner, port)
  }
  for (let tries = 0; tries < randomTries && given.size < owners.length; tries++) {
    // Two may draw the same: one of them tries again.
    const open = owners.filter((owner) => !given.has(owner))
    await take(new Map(open.map((owner) => [randomInt(range.first, range.last + 1), owner])))
  }
  for (const owner of owners) {
    if (given.has(owner)) continue
    const port = await firstFree(tx, nodeId, range)
    if (port !== undefined) await take(new Map([[port, owner]]))
    if (!given.has(owner)) throw noFreePort()
  }
  return owners.map((owner) => given.get(owner) as number)
}

export const takePort = async (tx: Db, nodeId: number, owner: PortOwner, range: Range): Promise<number> =>
  (await takePorts(tx, nodeId, [owner], range))[0] as number

/** This very port, or 409. */
export const takeGivenPort = async (
  tx: Db,
  nodeId: number,
  owner: PortOwner,
  port: number,
  path = 'port',
): Promise<void> => {
  const taken = await insert(tx, nodeId, new Map([[port, owner]]))
  if (!taken.has(port)) throw conflict(path, 'is taken on this server; choose another')
}

export const releasePort = async (tx: Db, nodeId: number, accessId: number): Promise<void> => {
  await tx.deleteFrom('node_ports').where('node_id', '=', nodeId).where('access_id', '=', accessId).execute()
}

/** Of protocols that a server offers no longer. */
export const releaseInboundPorts = async (
  tx: Db,
  server: { readonly id: number; readonly node_id: number },
  protocols: readonly Protocol[],
): Promise<void> => {
  if (protocols.length === 0) return
  await tx
    .deleteFrom('node_ports')
    .where('node_id', '=', server.node_id)
    .where(
      'inbound',
      'in',
      protocols.map((protocol) => tagOf(protocol, server.id)),
    )
    .execute()
}

/** The next address inside the node's tunnels. */
export const takeTunnelHost = async (tx: Db, nodeId: number): Promise<number> => {
  const node = await tx
    .updateTable('nodes')
    .set((eb) => ({ last_tunnel_host: eb('last_tunnel_host', '+', 1) }))
    .where('id', '=', nodeId)
    .returning('last_tunnel_host')
    .executeTakeFirstOrThrow()
  return node.last_tunnel_host
}
