import {
  type AvailableConfig,
  type AvailableOption,
  type AvailableOptionConfig,
  highestIndex,
} from '@sallyport/contract/customer/custom-subscriptions/shapes'
import { isProductClass } from '@sallyport/contract/product-types'
import { type ProductClass, products } from '@sallyport/contract/products'
import { type Db, prepared } from '../../db/client.ts'
import { type AccessRow, accessRowColumns, indexColumn } from '../vpn/access/access-row.ts'
import { flagOf, originalTitle, titleOf } from '../vpn/access/endpoints.ts'
import { accessOnline } from '../vpn/access/online.ts'
import { proxyProtocols, standaloneProxyTitle } from '../vpn/access/proxies.ts'

/** What a customer can put a subscription together from: everything that works now. */

interface Row extends AccessRow {
  readonly product: ProductClass
  readonly product_id: number | null
  readonly item_id: number
  readonly expires_at: number
  readonly is_online: boolean
  readonly index: number | null
}

/** $3 is true for English. */
const rowsOf = prepared<[userId: number, now: number, inEnglish: boolean], Row>(
  `select ${accessRowColumns('$3')}, t.product, t.product_id, t.item_id, t.expires_at,
     ${accessOnline('$2')} as is_online, ${indexColumn} as index
   from terms t join accesses c on c.term_id = t.id
   join servers v on v.id = c.server_id
   join nodes n on n.id = v.node_id
   join node_status st on st.node_id = n.id
   join locations l on l.id = c.location_id
   left join inbounds i on i.server_id = c.server_id and i.protocol = c.protocol
   where t.user_id = $1 and t.state = 'active' and t.expires_at > $2 and t.paused is null
     and c.beside_id is null and not c.is_proxy and (i.node_id is not null or c.protocol = 'mtproto')
   order by t.id, index, c.id`,
)

/** As apps show it: what is a proxy's is called by another name than the rest. */
const shownTitle = (row: Row): string =>
  proxyProtocols.some((one) => one === (row.protocol as string))
    ? (row.title ?? standaloneProxyTitle(row.id))
    : titleOf(row)

/** By itself, and not one of an option. */
type ConfigRow = Row & { readonly product: Exclude<ProductClass, 'paid_options'> }

const isConfig = (row: Row): row is ConfigRow => row.product !== 'paid_options'

const toConfig = (row: ConfigRow): AvailableConfig => ({
  id: row.id,
  title: shownTitle(row),
  protocol: row.protocol,
  location_emoji: flagOf(row.location_code),
  expires_at: row.expires_at,
  is_online: row.is_online,
  source: products[row.product].items.access,
  ...(row.product === 'cloud_servers' && { cloud_server_id: row.item_id }),
})

/** The option's own by index, what was added by its id; an index that no item may name is not said. */
const toOptionConfig = (row: Row): AvailableOptionConfig =>
  row.position !== null && row.position <= highestIndex
    ? { type: 'index', index: row.position, original_title: originalTitle(row), custom_title: row.title }
    : {
        type: 'server',
        id: row.id,
        server_id: row.server_id,
        ...(row.index !== null && row.index <= highestIndex && { index: row.index }),
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
  const all = await rowsOf(db, of.userId, of.now, of.inEnglish)
  // No item could name what another release sells.
  const rows = all.filter((row) => isProductClass(row.product))
  const ofOptions = rows.filter((row) => !isConfig(row))
  const byOption = Map.groupBy(ofOptions, (row) => row.product_id)
  return {
    configs: rows
      .filter(isConfig)
      .map(toConfig)
      .sort((one, other) => one.id - other.id),
    paid_options: [...byOption.values()].map((some) => toOption(some as [Row, ...Row[]])),
  }
}
