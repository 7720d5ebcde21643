import {
  type AvailableConfig,
  type AvailableOption,
  type AvailableOptionConfig,
  highestIndex,
} from '@sallyport/contract/customer/custom-subscriptions/shapes'
import { type Db, prepared } from '../../db/client.ts'
import { onlineWithinSeconds } from '../fleet/servers.ts'
import type { Term } from '../terms/terms.ts'
import { type CarriedConfig, carriedColumns } from '../vpn/access/carried.ts'
import { flagOf, originalTitle, titleOf } from '../vpn/access/endpoints.ts'
import { proxyProtocols, standingTitle } from '../vpn/access/proxies.ts'

/** What a customer can put a subscription together from: everything that works now. */

interface Row extends CarriedConfig {
  readonly product: Term['product']
  readonly product_id: number | null
  readonly item_id: number
  readonly expires_at: number
  readonly is_online: boolean
}

/** $4 is true for English. */
const rowsOf = prepared<[userId: number, now: number, onlineSince: number, inEnglish: boolean], Row>(
  `select ${carriedColumns('$4')}, t.product, t.product_id, t.item_id, t.expires_at,
     coalesce(st.last_seen_at >= $3, false) as is_online
   from terms t join accesses c on c.term_id = t.id
   join servers v on v.id = c.server_id
   join nodes n on n.id = v.node_id
   join node_status st on st.node_id = n.id
   join locations l on l.id = c.location_id
   left join inbounds i on i.server_id = c.server_id and i.protocol = c.protocol
   where t.user_id = $1 and t.state = 'active' and t.expires_at > $2 and t.paused is null
     and c.beside_id is null and not c.is_proxy and (i.node_id is not null or c.protocol = 'mtproto')
   order by t.id, c.position, c.id`,
)

/** As apps show it: what is a proxy's is called by another name than the rest. */
const shownTitle = (row: Row): string =>
  proxyProtocols.some((one) => one === (row.protocol as string))
    ? (row.title ?? standingTitle(row.id))
    : titleOf(row)

const toConfig = (row: Row): AvailableConfig => ({
  id: row.id,
  title: shownTitle(row),
  protocol: row.protocol,
  location_emoji: flagOf(row.location_code),
  expires_at: row.expires_at,
  is_online: row.is_online,
  ...(row.product === 'cloud_servers'
    ? { source: 'cloud_server_config', cloud_server_id: row.item_id }
    : { source: 'user_config' }),
})

/** An index that no item may name is left to its id. */
const toOptionConfig = (row: Row): AvailableOptionConfig =>
  row.position !== null && row.position <= highestIndex
    ? { type: 'index', index: row.position, original_title: originalTitle(row), custom_title: row.title }
    : {
        type: 'server',
        id: row.id,
        server_id: row.server_id,
        title: titleOf(row),
        is_online: row.is_online,
      }

const toOption = (rows: readonly [Row, ...Row[]]): AvailableOption => ({
  id: rows[0].product_id as number,
  title: rows[0].product_title as string,
  expires_at: rows[0].expires_at,
  configs: rows.map(toOptionConfig),
})

export const listAvailableItems = async (
  db: Db,
  of: { readonly userId: number; readonly now: number; readonly inEnglish: boolean },
): Promise<{ readonly configs: AvailableConfig[]; readonly paid_options: AvailableOption[] }> => {
  const rows = await rowsOf(db, of.userId, of.now, of.now - onlineWithinSeconds, of.inEnglish)
  const ofOptions = rows.filter((row) => row.product === 'paid_options')
  const byOption = Map.groupBy(ofOptions, (row) => row.product_id)
  return {
    configs: rows
      .filter((row) => row.product !== 'paid_options')
      .map(toConfig)
      .sort((one, other) => one.id - other.id),
    paid_options: [...byOption.values()].map((some) => toOption(some as [Row, ...Row[]])),
  }
}
