import type { Certificate } from '@sallyport/contract/agent/agent'
import { type Db, prepared } from '../../db/client.ts'
import { certificateOf } from '../fleet/inbounds.ts'
import type { Vault } from '../kernel/vault.ts'
import { type CarriedConfig, carriedColumns, carriedFrom, type Home } from './carried.ts'
import type { ProxyRow } from './proxies.ts'

const byIds = prepared<[number[]], CarriedConfig>(
  `select ${carriedColumns('l.title_ru')} ${carriedFrom} where c.id = any($1::bigint[])`,
)

/** These configurations, by id; deleted ones have no credentials and are left out. */
export const findCarried = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, CarriedConfig>> => {
  if (ids.length === 0) return new Map()
  const rows = await byIds(db, [...ids])
  return new Map(rows.filter((row) => row.credential_nonce !== null).map((row) => [row.id, row]))
}

/** The configurations that these are bridged to, by the id of the entry. */
export const findExits = async (
  db: Db,
  entryIds: readonly number[],
): Promise<ReadonlyMap<number, CarriedConfig>> => {
  if (entryIds.length === 0) return new Map()
  const bridges = await db
    .selectFrom('bridges')
    .select(['entry_id', 'exit_id'])
    .where('entry_type', '=', 'config')
    .where('exit_type', '=', 'config')
    .where('entry_id', 'in', entryIds)
    .execute()
  const exits = await findCarried(
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
export const findHomes = async (db: Db, configIds: readonly number[]): Promise<ReadonlyMap<number, Home>> => {
  if (configIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('configs as c')
    .innerJoin('locations as l', 'l.id', 'c.location_id')
    .select(['c.id', 'l.home_domains as domains', 'l.home_networks as networks'])
    .where('c.id', 'in', configIds)
    .execute()
  return new Map(rows.map(({ id, ...home }) => [id, home]))
}

/** Proxies by the id of their configuration. */
export const findProxies = async (
  db: Db,
  configIds: readonly number[],
): Promise<ReadonlyMap<number, ProxyRow>> => {
  if (configIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('subconfigs as s')
    .innerJoin('configs as c', 'c.id', 's.config_id')
    .innerJoin('servers as v', 'v.id', 'c.server_id')
    .innerJoin('nodes as n', 'n.id', 'v.node_id')
    .select(['s.id', 's.config_id', 's.protocol', 's.tls_domain', 's.credential_nonce', 's.port'])
    .select(['n.address', 'n.listen_address'])
    .where('s.config_id', 'in', configIds)
    .execute()
  return new Map(rows.map(({ config_id, ...row }) => [config_id, row]))
}

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
