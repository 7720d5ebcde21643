import { randomBytes } from 'node:crypto'
import { ApiError } from '@sallyport/contract/errors'
import type { ProxyProtocol } from '@sallyport/contract/shapes'
import { connectionUrl } from '@sallyport/domain/delivery/render/link'
import type { Endpoint } from '@sallyport/domain/vpn/endpoint'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../db/client.ts'
import { personalPorts, releasePort, takePort } from '../../fleet/node-ports.ts'
import { findNodesOf, holdNodes, place } from '../../fleet/placements.ts'
import { claimSlotsOf } from '../../fleet/servers.ts'
import type { Vault } from '../../kernel/vault.ts'
import { holdEntriesTo } from '../access/bridges.ts'
import { findProxies } from '../access/carried-reads.ts'
import { holdAccess, requireOn } from '../access/held.ts'
import { isOwned } from '../access/owner.ts'
import { proxyEndpoint, standingTitle } from '../access/proxies.ts'
import { insertAccess, updateAccess } from '../access/rows.ts'
import type { Care } from './care.ts'
import { requireProxyEngine } from './proxy-engine.ts'
import { removeAccesses } from './slots.ts'

/**
 * Proxies that stand by themselves, on a machine of one's own: as proxies, or as a configuration whose protocol is a proxy's.
 * Beside a configuration of another they are in proxy.ts.
 */

export interface Standing {
  readonly id: number
  readonly title: string | null
  readonly protocol: ProxyProtocol
  readonly connection_url: string
  readonly created_at: number
}

interface StandingRow {
  readonly id: number
  readonly title: string | null
  readonly created_at: number
}

const isStanding = (asProxy: boolean) =>
  sql<boolean>`c.beside_id is null and c.is_proxy = ${asProxy} and c.protocol in ('http', 'socks5', 'mtproto')`

const shown = async (db: Db, vault: Vault, rows: readonly StandingRow[]): Promise<Standing[]> => {
  const proxies = await findProxies(
    db,
    rows.map((row) => row.id),
  )
  return rows.flatMap(({ id, title, created_at }) => {
    const proxy = proxies.get(id)
    const { protocol } = proxy ?? {}
    return proxy && protocol
      ? [{ id, title, protocol, connection_url: connectionUrl(proxyEndpoint(vault, proxy)), created_at }]
      : []
  })
}

/** Those that are called proxies, or those that are called configurations. */
export const listStanding = async (
  { db, vault, owner }: Pick<Care, 'db' | 'vault' | 'owner'>,
  asProxy: boolean,
  id?: number,
): Promise<Standing[]> => {
  const rows = await db
    .selectFrom('accesses as c')
    .innerJoin('terms as t', 't.id', 'c.term_id')
    .select(['c.id', 'c.title', 'c.created_at'])
    .where(isOwned(owner))
    .where(isStanding(asProxy))
    .$if(id !== undefined, (query) => query.where('c.id', '=', id as number))
    .orderBy('c.id')
    .execute()
  return shown(db, vault, rows)
}

export interface LiveStanding {
  readonly id: number
  readonly node_id: number
  readonly expires_at: number
  readonly endpoint: Endpoint
}

/** A customer's configurations that are a proxy's, while they are served. */
export const listLiveStanding = async (
  { db, vault }: Pick<Care, 'db' | 'vault'>,
  userId: number,
  now: number,
): Promise<LiveStanding[]> => {
  const rows = await db
    .selectFrom('accesses as c')
    .innerJoin('terms as t', 't.id', 'c.term_id')
    .innerJoin('servers as v', 'v.id', 'c.server_id')
    .select(['c.id', 'c.title', 'v.node_id', 't.expires_at'])
    .where('t.user_id', '=', userId)
    .where('t.state', '=', 'active')
    .where('t.expires_at', '>', now)
    .where('t.paused', 'is', null)
    .where(isStanding(false))
    .orderBy('c.id')
    .execute()
  const proxies = await findProxies(
    db,
    rows.map((row) => row.id),
  )
  return rows.flatMap(({ title, ...row }) => {
    const proxy = proxies.get(row.id)
    if (!proxy) return []
    return [{ ...row, endpoint: { ...proxyEndpoint(vault, proxy), title: title ?? standingTitle(row.id) } }]
  })
}

const showOne = async (tx: Db, care: Care, asProxy: boolean, id: number): Promise<Standing> =>
  (await listStanding({ ...care, db: tx }, asProxy, id))[0] as Standing

export interface StandingPlace {
  readonly termId: number
  readonly serverId: number
  readonly nodeId: number
  readonly locationId: number
}

/** In the caller's transaction, which holds the term. */
export const addStanding = async (
  tx: Db,
  care: Care,
  at: StandingPlace,
  wanted: { readonly protocol: ProxyProtocol; readonly title: string | null; readonly asProxy: boolean },
): Promise<Standing> => {
  const { bus, now } = care
  const { termId, serverId, nodeId, locationId } = at
  await requireProxyEngine(tx, nodeId, wanted.protocol, now)
  await claimSlotsOf(tx, [serverId])
  const id = await insertAccess(tx, {
    termId,
    serverId,
    locationId,
    protocol: wanted.protocol,
    title: wanted.title,
    isProxy: wanted.asProxy,
    credentialNonce: randomBytes(16),
    now,
  })
  await updateAccess(tx, id, { port: await takePort(tx, nodeId, { accessId: id }, personalPorts) })
  await place(tx, bus, { nodeId, serverId, accessId: id, isPresent: true })
  return showOne(tx, care, wanted.asProxy, id)
}

export const changeStanding = (care: Care, id: number, protocol: ProxyProtocol): Promise<Standing> =>
  inTransaction(care.db, async (tx) => {
    const { owner, bus, now } = care
    const access = await holdAccess(tx, owner, id, true)
    if (!access) throw new ApiError('NOT_FOUND')
    requireOn(access.term, now, 'server_id')
    const { node_id: nodeId, server_id: serverId } = access
    if ((access.protocol as string) === protocol) return showOne(tx, care, true, id)
    await requireProxyEngine(tx, nodeId, protocol, now)
    // Another engine may not have let go of the old port when this one wants it.
    await releasePort(tx, nodeId, id)
    const port = await takePort(tx, nodeId, { accessId: id }, personalPorts)
    await updateAccess(tx, id, { protocol, port })
    await place(tx, bus, { nodeId, serverId, accessId: id, isPresent: true })
    return showOne(tx, care, true, id)
  })

/** A configuration of whatever protocol or a proxy, whichever is meant; what has ended may go too. */
export const deleteFromMachine = (care: Care, id: number, asProxy: boolean): Promise<boolean> =>
  inTransaction(care.db, async (tx) => {
    const access = await holdAccess(tx, care.owner, id, asProxy)
    if (!access) throw new ApiError('NOT_FOUND')
    const entries = await holdEntriesTo(tx, [id])
    await holdNodes(tx, [access.node_id, ...(await findNodesOf(tx, entries))])
    await removeAccesses(tx, care, [id], access.term.state === 'active')
    return true
  })
