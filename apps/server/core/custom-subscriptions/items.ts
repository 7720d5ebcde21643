import type {
  DetailedItem,
  NewItem,
  ServerConfig,
} from '@sallyport/contract/customer/custom-subscriptions/shapes'
import { ApiError } from '@sallyport/contract/errors'
import type { ItemType } from '@sallyport/contract/product-types'
import { products } from '@sallyport/contract/products'
import { itemKey, itemProblems } from '@sallyport/domain/delivery/items'
import { described } from '@sallyport/domain/vpn/described'
import type { Endpoint } from '@sallyport/domain/vpn/endpoint'
import { type Db, prepared } from '../../db/client.ts'
import { type CustomRef, lockSubscription } from '../accounts/subscription-keys.ts'
import type { Vault } from '../kernel/vault.ts'
import type { Term } from '../terms/terms.ts'
import { endpointsOf, titleOf } from '../vpn/access/endpoints.ts'
import { requireOn } from '../vpn/access/locked-access.ts'
import { proxyEndpoint, standaloneProxyTitle } from '../vpn/access/proxies.ts'
import { asProxy, isCarried, type ResolvedItem, resolvedItemColumns, resolvedItems } from './resolve-items.ts'

/** What a custom subscription is made of: replaced as a whole, and shown with what became of each. */

interface Row {
  readonly item_id: number
  readonly item_type: ItemType
  readonly item_reference_id: number
  readonly item_index: number | null
  /** Null of what is not the customer's, or is not there any more; an option as a whole has a term alone. */
  readonly state: Term['state'] | null
  readonly expires_at: number
  readonly paused: Term['paused']
  readonly product_title: string | null
}

/** $3 is true for English. */
const rowsOf = prepared<[userId: number, subscriptionId: number, inEnglish: boolean], Row & ResolvedItem>(
  `select x.id as item_id, x.item_type, x.reference_id as item_reference_id, x.item_index, t.state, t.expires_at,
     ${resolvedItemColumns('$3')} ${resolvedItems}
   where s.id = $2 and s.user_id = $1 and s.kind = 'custom' order by x.position`,
)

type ItemRow = Row & ResolvedItem

const isWhole = ({ item_type }: Row): boolean => item_type === products.paid_options.items.whole

/** Whether it is what it was meant to be; not, whether it works now. */
const isThere = (row: ItemRow): boolean => row.state !== null && (isWhole(row) || isCarried(row))

const isValid = (row: ItemRow, now: number): boolean =>
  isThere(row) && row.state === 'active' && row.expires_at > now && row.paused === null

const resolvedTitle = (row: ItemRow): string | null => {
  if (row.state === null) return null
  if (isWhole(row)) return row.product_title
  return asProxy(row) ? (row.title ?? standaloneProxyTitle(row.id)) : titleOf(row)
}

const endpointOf = (vault: Vault, row: ResolvedItem): Endpoint => {
  const proxy = asProxy(row)
  return proxy ? proxyEndpoint(vault, proxy) : (endpointsOf(vault, [row])[0] as Endpoint)
}

const serverConfig = (vault: Vault, row: ItemRow): ServerConfig =>
  described(row.protocol, endpointOf(vault, row))

const toItem = (vault: Vault, row: ItemRow, now: number): DetailedItem => {
  const is_valid = isValid(row, now)
  return {
    id: row.item_id,
    item_type: row.item_type,
    item_reference_id: row.item_reference_id,
    item_index: row.item_index,
    resolved_title: resolvedTitle(row),
    is_valid,
    server_config: is_valid && !isWhole(row) ? serverConfig(vault, row) : null,
  }
}

interface ItemView {
  readonly vault: Vault
  readonly now: number
  readonly inEnglish: boolean
}

export const showItems = async (
  db: Db,
  { userId, subscriptionId }: CustomRef,
  { vault, now, inEnglish }: ItemView,
): Promise<DetailedItem[]> =>
  (await rowsOf(db, userId, subscriptionId, inEnglish)).map((row) => toItem(vault, row, now))

/** What is in it already may stay whatever became of it; all others have to be the customer's and work. */
const requireWorking = (rows: readonly ItemRow[], isNew: (at: number) => boolean, now: number): void => {
  for (const [at, row] of rows.entries()) {
    if (!isNew(at)) continue
    const path = `items.${at}`
    if (!isThere(row)) throw new ApiError('NOT_FOUND', [{ path, problem: 'is not one of yours' }])
    requireOn({ ...row, state: row.state as Term['state'] }, now, path)
  }
}

const storeItems = async (tx: Db, subscriptionId: number, items: readonly NewItem[]): Promise<void> => {
  await tx
    .insertInto('subscription_items')
    .values(
      items.map((item, position) => ({
        subscription_id: subscriptionId,
        position,
        item_type: item.item_type,
        reference_id: item.item_reference_id,
        item_index: item.item_index ?? null,
      })),
    )
    .execute()
}

/** What can be refused without a look anywhere. */
export const refuseWrongItems = (items: readonly NewItem[]): void => {
  const problems = itemProblems(items)
  if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
}

/** Stored first and looked at then, by the one query that knows what items mean; a refusal takes all of it back. */
const storeAndLook = async (
  tx: Db,
  ref: CustomRef,
  items: readonly NewItem[],
  asked: ItemView,
  present: ReadonlySet<string> = new Set(),
): Promise<DetailedItem[]> => {
  await storeItems(tx, ref.subscriptionId, items)
  const rows = await rowsOf(tx, ref.userId, ref.subscriptionId, asked.inEnglish)
  requireWorking(rows, (at) => !present.has(itemKey(items[at] as NewItem)), asked.now)
  return rows.map((row) => toItem(asked.vault, row, asked.now))
}

/** Of a subscription that was just made. */
export const addItems = storeAndLook

/** All or nothing: those at once come one after another, and the last one's stay. */
export const replaceItems = async (
  tx: Db,
  ref: CustomRef,
  items: readonly NewItem[],
  asked: ItemView,
): Promise<DetailedItem[]> => {
  if (!(await lockSubscription(tx, ref))) throw new ApiError('NOT_FOUND')
  const before = await tx
    .deleteFrom('subscription_items')
    .where('subscription_id', '=', ref.subscriptionId)
    .returning(['item_type', 'reference_id', 'item_index'])
    .execute()
  const present = new Set(
    before.map(({ item_type, reference_id: item_reference_id, item_index }) =>
      itemKey({ item_type, item_reference_id, ...(item_index !== null && { item_index }) }),
    ),
  )
  return storeAndLook(tx, ref, items, asked, present)
}
