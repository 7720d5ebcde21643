import type { EngineName } from '@sallyport/contract/agent/agent'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { InboundSettings, InboundSites } from '../../fleet/inbound-settings.ts'
import { defaultTlsDomain } from './proxies.ts'

/** Sites that the service itself has strangers sent to, apart from those that customers name. */

/** mtg knows no other port. */
export const frontingTarget = (domain: string): string => `${domain}:443`

interface Borrowing {
  readonly settings: InboundSettings
  readonly sites: InboundSites
}

export const targetsOf = ({ settings, sites }: Borrowing): string[] =>
  [sites.target ?? settings.target, sites.other_target].filter((target) => target !== undefined)

/** host:port of each, in one order, so that the same list is the same text. */
export const findOwnTargets = async (db: Db, nodeId: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('inbounds')
    .select(['settings', 'sites'])
    .where('node_id', '=', nodeId)
    .execute()
  const targets = (rows as unknown as Borrowing[]).flatMap(targetsOf)
  return [...new Set([...targets, frontingTarget(defaultTlsDomain)])].sort()
}

/** Whether the node said that this engine borrows no other sites there. */
export const borrowsOnlyOwn = async (db: Db, nodeId: number, engine: EngineName): Promise<boolean> => {
  const said = JSON.stringify([{ name: engine, own_sites_only: true }])
  const { rows } = await sql`
    select 1 from node_status where node_id = ${nodeId} and engines @> ${said}::jsonb`.execute(db)
  return rows.length > 0
}
