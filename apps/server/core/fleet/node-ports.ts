import { randomInt } from 'node:crypto'
import { ApiError, conflict } from '@sallyport/contract/errors'
import type { Db } from '../../db/client.ts'

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

const insert = async (tx: Db, nodeId: number, port: number, owner: PortOwner): Promise<boolean> => {
  const row = await tx
    .insertInto('node_ports')
    .values({ node_id: nodeId, port, ...ownerColumns(owner) })
    .onConflict((oc) => oc.columns(['node_id', 'port']).doNothing())
    .returning('port')
    .executeTakeFirst()
  return row !== undefined
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

/** A free port of the range, unguessable while there are many. */
export const takePort = async (tx: Db, nodeId: number, owner: PortOwner, range: Range): Promise<number> => {
  for (let tries = 0; tries < randomTries; tries++) {
    const port = randomInt(range.first, range.last + 1)
    if (await insert(tx, nodeId, port, owner)) return port
  }
  const port = await firstFree(tx, nodeId, range)
  if (port === undefined || !(await insert(tx, nodeId, port, owner))) {
    throw new ApiError('NO_SERVER_AVAILABLE', [{ path: 'server_id', problem: 'the server has no free port' }])
  }
  return port
}

/** This very port, or 409. */
export const takeGivenPort = async (
  tx: Db,
  nodeId: number,
  owner: PortOwner,
  port: number,
  path = 'port',
): Promise<void> => {
  if (!(await insert(tx, nodeId, port, owner)))
    throw conflict(path, 'is taken on this server; choose another')
}

export const releasePort = async (tx: Db, nodeId: number, accessId: number): Promise<void> => {
  await tx.deleteFrom('node_ports').where('node_id', '=', nodeId).where('access_id', '=', accessId).execute()
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
