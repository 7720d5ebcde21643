import type { Certificate } from '@sallyport/contract/agent/agent'
import { type Db, prepared } from '../../../db/client.ts'
import { certificateOf } from '../../fleet/inbounds.ts'
import type { Vault } from '../../kernel/vault.ts'
import { type AccessRow, accessRowColumns, accessRowFrom, type Homeland } from './access-row.ts'
import { type ProxyRow, proxyProtocols } from './proxies.ts'

const byIds = prepared<[number[]], AccessRow>(
  `select ${accessRowColumns()} ${accessRowFrom} where c.id = any($1::bigint[])`,
)

/** These configurations, by id; those that are gone are left out, and so are proxies. */
export const findAccessRows = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, AccessRow>> => {
  if (ids.length === 0) return new Map()
  const rows = await byIds(db, [...ids])
  return new Map(rows.map((row) => [row.id, row]))
}

/** The configurations that these are bridged to, by the id of the entry. */
export const findExits = async (
  db: Db,
  entryIds: readonly number[],
): Promise<ReadonlyMap<number, AccessRow>> => {
  if (entryIds.length === 0) return new Map()
  const bridges = await db
    .selectFrom('bridges')
    .select(['entry_id', 'exit_id'])
    .where('entry_id', 'in', entryIds)
    .execute()
  const exits = await findAccessRows(
    db,
    bridges.map((bridge) => bridge.exit_id),
  )
  return new Map(
    bridges.flatMap(({ entry_id, exit_id }) => {
      const exit = exits.get(exit_id)
      return exit ? [[entry_id, exit] as const] : []
    }),
  )
}

/** What of their location's country leaves from these directly, where a location has such. */
export const findHomelands = async (
  db: Db,
  accessIds: readonly number[],
): Promise<ReadonlyMap<number, Homeland>> => {
  if (accessIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('accesses as c')
    .innerJoin('locations as l', 'l.id', 'c.location_id')
    .select(['c.id', 'l.home_domains as domains', 'l.home_networks as networks'])
    .where('c.id', 'in', accessIds)
    .execute()
  return new Map(rows.map(({ id, ...home }) => [id, home]))
}

/** Those of these accesses that are proxies, by id. */
export const findProxies = async (
  db: Db,
  accessIds: readonly number[],
): Promise<ReadonlyMap<number, ProxyRow>> => {
  if (accessIds.length === 0) return new Map()
  const rows = await proxies(db).where('a.id', 'in', accessIds).execute()
  return new Map(rows.map((row) => [row.id, row as ProxyRow]))
}

/** The proxy that goes with a configuration. */
export const findProxyBeside = async (db: Db, accessId: number): Promise<ProxyRow | undefined> =>
  (await proxies(db).where('a.beside_id', '=', accessId).executeTakeFirst()) as ProxyRow | undefined

const proxies = (db: Db) =>
  db
    .selectFrom('accesses as a')
    .innerJoin('servers as v', 'v.id', 'a.server_id')
    .innerJoin('nodes as n', 'n.id', 'v.node_id')
    .innerJoin('terms as t', 't.id', 'a.term_id')
    .select('t.is_metered')
    .select(['a.id', 'a.protocol', 'a.tls_domain', 'a.credential_nonce', 'a.port'])
    .select(['n.address', 'n.listen_address'])
    .where('a.protocol', 'in', proxyProtocols)

/** The certificates of servers, by server. */
export const certificatesOf = async (
  db: Db,
  vault: Vault,
  serverIds: readonly number[],
): Promise<(serverId: number) => Certificate> => {
  const rows =
    serverIds.length === 0
      ? []
      : await db
          .selectFrom('servers')
          .select(['id', 'domain', 'certificate', 'certificate_key_sealed'])
          .where('id', 'in', serverIds)
          .execute()
  const byServer = new Map(rows.map((row) => [row.id, row]))
  return (serverId) => {
    const row = byServer.get(serverId)
    if (!row) throw new Error(`Server ${serverId} has no certificate`)
    return certificateOf(vault, row)
  }
}
