import { productClasses } from '@sallyport/contract/product-types'
import { products } from '@sallyport/contract/products'
import type { Pause } from '../terms/terms.ts'
import { type AccessRow, accessRowColumns } from '../vpn/access/access-row.ts'
import { type ProxyRow, proxyProtocols } from '../vpn/access/proxies.ts'

/** What the items of a custom subscription mean: asked each time, because all of it may end or go to somebody else. */

const optionItems = products.paid_options.items

/** The customer's own term of an option, for an item `x` of a subscription `s`. */
const ownOption = `o.user_id = s.user_id and o.product = 'paid_options' and o.product_id = x.reference_id
  and o.state <> 'deleted'`

/** A whole option as each of its configurations, or as itself alone. */
const wholeOption = {
  spread: `select o.id, a.id from terms o join accesses a on a.term_id = o.id
    where x.item_type = '${optionItems.whole}' and ${ownOption} and a.beside_id is null`,
  alone: `select o.id, null::bigint from terms o where x.item_type = '${optionItems.whole}' and ${ownOption}`,
} as const

/** By the type of an item that names an access. */
const productOfAccess = productClasses
  .map((product) => `when '${products[product].items.access}' then '${product}'`)
  .join(' ')

/** Term and access of an item `x` of a subscription `s`; nothing that is not its owner's now. */
const meant = (options: keyof typeof wholeOption): string => `
  select o.id as term_id, a.id as access_id from accesses a join terms o on o.id = a.term_id
  where a.id = x.reference_id and a.beside_id is null and not a.is_proxy
    and o.user_id = s.user_id and o.state <> 'deleted' and o.product = case x.item_type ${productOfAccess} end
  union all
  select o.id, a.id from terms o join accesses a on a.term_id = o.id
  where x.item_type = '${optionItems.index}' and ${ownOption} and coalesce(a.position, a.added_index) = x.item_index
  union all
  ${wholeOption[options]}`

/** Named as accessRowColumns wants it; what a proxy is has no inbound. */
const whereItIs = (join: 'join' | 'left join'): string => `
  ${join} accesses c on c.id = r.access_id
  ${join} servers v on v.id = c.server_id
  ${join} nodes n on n.id = v.node_id
  ${join} locations l on l.id = c.location_id
  left join inbounds i on i.server_id = c.server_id and i.protocol = c.protocol`

const itsItems = 'from subscriptions s join subscription_items x on x.subscription_id = s.id'

/** Items with what of it there is. */
export const resolvedItems = `
  ${itsItems} left join lateral (${meant('alone')}) r on true left join terms t on t.id = r.term_id
  ${whereItIs('left join')}`

/** One row for each configuration that an item gives. */
export const spreadItems = `
  ${itsItems} join lateral (${meant('spread')}) r on true join terms t on t.id = r.term_id
  ${whereItIs('join')}`

export const resolvedItemColumns = (inEnglish: string): string => `
  ${accessRowColumns(inEnglish)}, t.paused, c.tls_domain, n.listen_address, t.is_metered, v.node_id as on_node_id`

/** The terms that the items of a subscription `s` mean. */
export const resolvedTerms = `
  select r.term_id from subscription_items x join lateral (${meant('alone')}) r on true where x.subscription_id = s.id`

/** The configurations that they mean. */
export const resolvedAccesses = `
  select r.access_id from subscription_items x join lateral (${meant('spread')}) r on true where x.subscription_id = s.id`

export interface ResolvedItem extends AccessRow {
  readonly paused: Pause | null
  readonly tls_domain: string | null
  readonly listen_address: string
  readonly is_metered: boolean
  /** Of a proxy too, which has no inbound. */
  readonly on_node_id: number
}

/** Whether it is a proxy, which is reached in another way than the other configurations. */
export const asProxy = (row: ResolvedItem): ProxyRow | undefined => {
  const protocol = proxyProtocols.find((each) => each === (row.protocol as string))
  return protocol && { ...row, protocol }
}

/** A server that has stopped offering the protocol carries it no more. */
export const isCarried = (row: ResolvedItem): boolean =>
  asProxy(row) !== undefined || (row.node_id as number | null) !== null
