import { type Db, prepared } from '../../db/client.ts'
import type { Pause } from '../terms/terms.ts'
import { type AccessRow, indexColumn } from '../vpn/access/access-row.ts'
import { accessLost } from '../vpn/access/online.ts'
import type { ProxyRow } from '../vpn/access/proxies.ts'
import { asProxy, isCarried, type ResolvedItem, resolvedItemColumns, spreadItems } from './resolve-items.ts'

/** What the key of a custom subscription delivers. */

export type Delivered = { readonly term_id: number; readonly expires_at: number } & (
  | { readonly kind: 'config'; readonly config: AccessRow & { readonly is_lost: boolean } }
  /** One that is a proxy's, on a machine of the customer's own; `title` as the customer calls it. */
  | {
      readonly kind: 'proxy'
      readonly title: string | null
      readonly node_id: number
      readonly is_lost: boolean
      readonly proxy: ProxyRow
    }
  /** An option that is switched off though it has not ended, in the place of all it would give. */
  | { readonly kind: 'paused'; readonly paused: Pause }
)

interface Row extends ResolvedItem {
  readonly term_id: number
  readonly expires_at: number
  readonly is_lost: boolean
}

/** Whose it is, is asked by spreadItems now, and not when an item was added. $3 is true for English. */
const rowsOf = prepared<[subscriptionId: number, now: number, inEnglish: boolean], Row>(
  `select ${resolvedItemColumns('$3')}, c.term_id, t.expires_at, ${accessLost} as is_lost ${spreadItems}
   where s.id = $1 and s.kind = 'custom' and t.state = 'active' and t.expires_at > $2
   order by x.position, ${indexColumn}, c.id`,
)

const toDelivered = (row: Row): Delivered => {
  const { term_id, expires_at, paused } = row
  const of = { term_id, expires_at }
  if (paused !== null) return { kind: 'paused', ...of, paused }
  const proxy = asProxy(row)
  return proxy
    ? { kind: 'proxy', ...of, title: row.title, node_id: row.on_node_id, is_lost: row.is_lost, proxy }
    : { kind: 'config', ...of, config: row }
}

const keyOf = (one: Delivered): string => {
  switch (one.kind) {
    case 'config':
      return `access ${one.config.id}`
    case 'proxy':
      return `access ${one.proxy.id}`
    case 'paused':
      return `term ${one.term_id}`
  }
}

/**
 * In the customer's order, a whole option as its configurations by index. What several items give comes once, at the first of
 * its places. What has ended, is deleted or is somebody else's is left out.
 */
export const listDelivered = async (
  db: Db,
  subscriptionId: number,
  now: number,
  inEnglish: boolean,
): Promise<Delivered[]> => {
  const rows = await rowsOf(db, subscriptionId, now, inEnglish)
  const delivered = rows.filter(isCarried).map(toDelivered)
  return [...new Map(delivered.map((one) => [keyOf(one), one])).values()]
}
