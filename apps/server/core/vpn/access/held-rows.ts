import { type Db, prepared } from '../../../db/client.ts'
import { type AccessRow, accessRowColumns, type Homeland, heldRowFrom } from './access-row.ts'
import { type ProxyRow, proxyProtocols } from './proxies.ts'

/** Copies of how accesses were, which their nodes carry until apps have fetched what is now. */

/** A configuration under the id of its access, whose bridge and WARP account it shares. */
export interface HeldConfig {
  readonly config: AccessRow
  /** What of its location's country leaves from it directly. */
  readonly home: Homeland
}

interface HeldRow extends AccessRow {
  readonly copy_id: number
  readonly entry_home: Homeland
}

const configsByIds = prepared<[number[]], HeldRow>(
  `select h.id as copy_id, ${accessRowColumns()},
     jsonb_build_object('domains', l.home_domains, 'networks', l.home_networks) as entry_home
   ${heldRowFrom} where h.id = any($1::bigint[])`,
)

/** By the number of the copy; proxies are not among them. */
export const findHeldConfigs = async (
  db: Db,
  copyIds: readonly number[],
): Promise<ReadonlyMap<number, HeldConfig>> => {
  if (copyIds.length === 0) return new Map()
  const rows = await configsByIds(db, [...copyIds])
  return new Map(
    rows.map(({ copy_id, entry_home, ...config }) => [copy_id, { config, home: entry_home }] as const),
  )
}

/** By the number of the copy. */
export const findHeldProxies = async (
  db: Db,
  copyIds: readonly number[],
): Promise<ReadonlyMap<number, ProxyRow>> => {
  if (copyIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('held_accesses as h')
    .innerJoin('nodes as n', 'n.id', 'h.node_id')
    .innerJoin('terms as t', 't.id', 'h.term_id')
    .select(['h.id', 'h.protocol', 'h.tls_domain', 'h.credential_nonce', 'h.port'])
    .select(['n.address', 'n.listen_address', 't.is_metered'])
    .where('h.id', 'in', copyIds)
    .where('h.protocol', 'in', proxyProtocols)
    .execute()
  return new Map(rows.map((row) => [row.id, row as ProxyRow]))
}
