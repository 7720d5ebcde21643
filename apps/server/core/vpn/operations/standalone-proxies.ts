import { randomBytes } from 'node:crypto'
import { ApiError } from '@sallyport/contract/errors'
import type { ProxyProtocol } from '@sallyport/contract/shapes'
import { connectionUrl } from '@sallyport/domain/delivery/render/link'
import type { Endpoint } from '@sallyport/domain/vpn/endpoint'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../db/client.ts'
import { personalPorts, releasePort, takePort } from '../../fleet/node-ports.ts'
import { findNodesOf, lockNodes, place } from '../../fleet/placements.ts'
import { claimSlotsOf } from '../../fleet/servers.ts'
import type { Vault } from '../../kernel/vault.ts'
import { findProxies } from '../access/access-row-reads.ts'
import { lockEntriesTo } from '../access/bridges.ts'
import { lockAccess, requireOn } from '../access/locked-access.ts'
import { accessLost } from '../access/online.ts'
import { isOwned } from '../access/owner.ts'
import { proxyEndpoint, standaloneProxyTitle } from '../access/proxies.ts'
import { insertAccess, updateAccess } from '../access/rows.ts'
import type { AccessContext } from './access-context.ts'
import { requireProxyEngine } from './proxy-engine.ts'
import { removeAccesses } from './server-slots.ts'

/**
 * Proxies that stand by themselves, on a machine of one's own: as proxies, or as a configuration whose protocol is a proxy's.
 * Beside a configuration of another they are in proxy.ts.
 */

export interface StandaloneProxy {
  readonly id: number
  readonly title: string | null
  readonly protocol: ProxyProtocol
  readonly connection_url: string
  readonly created_at: number
}

interface StandaloneProxyRow {
  readonly id: number
  readonly title: string | null
  readonly created_at: number
}

const isStandalone = (asProxy: boolean) =>
  sql<boolean>`c.beside_id is null and c.is_proxy = ${asProxy} and c.protocol in ('http', 'socks5', 'mtproto')`

const shown = async (
  db: Db,
  vault: Vault,
  rows: readonly StandaloneProxyRow[],
): Promise<StandaloneProxy[]> => {
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
export const listStandaloneProxies = async (
  { db, vault, owner }: Pick<AccessContext, 'db' | 'vault' | 'owner'>,
  asProxy: boolean,
  id?: number,
): Promise<StandaloneProxy[]> => {
  const rows = await db
    .selectFrom('accesses as c')
    .innerJoin('terms as t', 't.id', 'c.term_id')
    .select(['c.id', 'c.title', 'c.created_at'])
    .where(isOwned(owner))
    .where(isStandalone(asProxy))
    .$if(id !== undefined, (query) => query.where('c.id', '=', id as number))
    .orderBy('c.id')
    .execute()
  return shown(db, vault, rows)
}

export interface LiveStandaloneProxy {
  readonly id: number
  readonly term_id: number
  readonly node_id: number
  readonly is_lost: boolean
  readonly expires_at: number
  readonly endpoint: Endpoint
}

/** A customer's configurations that are a proxy's, while they are served. */
export const listLiveStandaloneProxies = async (
  { db, vault }: Pick<AccessContext, 'db' | 'vault'>,
  userId: number,
  now: number,
): Promise<LiveStandaloneProxy[]> => {
  const rows = await db
    .selectFrom('accesses as c')
    .innerJoin('terms as t', 't.id', 'c.term_id')
    .innerJoin('servers as v', 'v.id', 'c.server_id')
    .innerJoin('nodes as n', 'n.id', 'v.node_id')
    .select(['c.id', 'c.title', 'c.term_id', 'v.node_id', 't.expires_at'])
    .select(sql<boolean>`${sql.raw(accessLost)}`.as('is_lost'))
    .where('t.user_id', '=', userId)
    .where('t.state', '=', 'active')
    .where('t.expires_at', '>', now)
    .where('t.paused', 'is', null)
    .where(isStandalone(false))
    .orderBy('c.id')
    .execute()
  const proxies = await findProxies(
    db,
    rows.map((row) => row.id),
  )
  return rows.flatMap(({ title, ...row }) => {
    const proxy = proxies.get(row.id)
    if (!proxy) return []
    return [
      { ...row, endpoint: { ...proxyEndpoint(vault, proxy), title: title ?? standaloneProxyTitle(row.id) } },
    ]
  })
}

const showOne = async (
  tx: Db,
  context: AccessContext,
  asProxy: boolean,
  id: number,
): Promise<StandaloneProxy> =>
  (await listStandaloneProxies({ ...context, db: tx }, asProxy, id))[0] as StandaloneProxy

export interface ProxyPlace {
  readonly termId: number
  readonly serverId: number
  readonly nodeId: number
  readonly locationId: number
}

/** In the caller's transaction, which locks the term. */
export const addStandaloneProxy = async (
  tx: Db,
  context: AccessContext,
  at: ProxyPlace,
  wanted: { readonly protocol: ProxyProtocol; readonly title: string | null; readonly asProxy: boolean },
): Promise<StandaloneProxy> => {
  const { bus, now } = context
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
  return showOne(tx, context, wanted.asProxy, id)
}

export const changeStandaloneProxy = (
  context: AccessContext,
  id: number,
  protocol: ProxyProtocol,
): Promise<StandaloneProxy> =>
  inTransaction(context.db, async (tx) => {
    const { owner, bus, now } = context
    const access = await lockAccess(tx, owner, id, true)
    if (!access) throw new ApiError('NOT_FOUND')
    requireOn(access.term, now, 'server_id')
    const { node_id: nodeId, server_id: serverId } = access
    if ((access.protocol as string) === protocol) return showOne(tx, context, true, id)
    await requireProxyEngine(tx, nodeId, protocol, now)
    // Another engine may not have let go of the old port when this one wants it.
    await releasePort(tx, nodeId, id)
    const port = await takePort(tx, nodeId, { accessId: id }, personalPorts)
    await updateAccess(tx, id, { protocol, port, credential_nonce: randomBytes(16) })
    await place(tx, bus, { nodeId, serverId, accessId: id, isPresent: true })
    return showOne(tx, context, true, id)
  })

/** A configuration of whatever protocol or a proxy, whichever is meant; what has ended may go too. */
export const deleteFromMachine = (context: AccessContext, id: number, asProxy: boolean): Promise<boolean> =>
  inTransaction(context.db, async (tx) => {
    const access = await lockAccess(tx, context.owner, id, asProxy)
    if (!access) throw new ApiError('NOT_FOUND')
    const entries = await lockEntriesTo(tx, [id])
    await lockNodes(tx, [access.node_id, ...(await findNodesOf(tx, entries))])
    await removeAccesses(tx, context, [id], access.term.state === 'active')
    return true
  })
