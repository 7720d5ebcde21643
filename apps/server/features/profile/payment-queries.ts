import { productClasses } from '@sallyport/contract/product-types'
import type { OrderState } from '@sallyport/domain/lifecycle/order'
import { titlesIn } from '../../core/sales/product-titles.ts'
import type { Words } from '../../core/sales/products.ts'
import { type Db, prepared } from '../../db/client.ts'
import { type OrderRow, orderColumns } from './history-queries.ts'

export interface PaymentReceipt {
  readonly provider: string
  readonly number: string
  readonly amount: number
  readonly currency: string
  readonly value_rub: number
  readonly verdict: 'accepted' | 'extra' | 'suspense'
  /** All of it went back whence it came. */
  readonly is_returned: boolean
}

export interface PaymentRow extends OrderRow {
  readonly state: OrderState
  readonly value_rub: number
  readonly expires_at: number | null
  readonly paid_at: number | null
  readonly refunded_to: 'balance' | 'source' | null
  /** Every step from list price to charge; those of a promocode and of a gift are no price. */
  readonly price_steps: { readonly list?: number; readonly percent?: number }
  readonly comment: string | null
  readonly product_title: Words | null
  readonly link: string | null
  readonly code_hash: Uint8Array | null
  readonly code_sealed: Uint8Array | null
  readonly is_active: boolean | null
  /** As customers know it; null of what is gone, or is somebody else's by now. */
  readonly item: number | null
  readonly receipts: readonly PaymentReceipt[] | null
  /** The last one that was of the order itself. */
  readonly refund: {
    readonly amount: number
    readonly currency: string
    readonly to: 'source' | 'balance'
    readonly at: number
  } | null
}

const titleOf = productClasses
  .filter((product) => titlesIn[product])
  .map(
    (product) => `when '${product}' then (
      select json_build_object('ru', c.title_ru, 'en', c.title_en) from ${titlesIn[product]} c where c.id = o.product_id)`,
  )

/** With all that belongs to it, in one round trip. */
export const paymentById = prepared<[id: number, userId: number, now: number], PaymentRow>(
  `select ${orderColumns}, o.value_rub, o.expires_at, o.paid_at, o.refunded_to, o.price_steps, r.comment,
     case o.product ${titleOf.join(' ')} end as product_title,
     (select p.link from payments p where p.order_id = o.id order by p.id desc limit 1) as link,
     k.code_hash, k.code_sealed,
     k.used_at is null and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3::bigint) as is_active,
     case t.product when 'paid_options' then t.product_id else t.item_id end as item,
     (select json_agg(json_build_object('provider', c.provider, 'number', c.receipt_id, 'amount', c.amount,
        'currency', c.currency, 'value_rub', c.value_rub, 'verdict', c.verdict,
        'is_returned', exists (select from refunds f where f.receipt_id = c.id and f.state = 'done'
          and f.destination = 'source' and f.amount >= c.amount)) order by c.id)
      from receipts c where c.order_id = o.id) as receipts,
     (select json_build_object('amount', f.amount, 'currency', f.currency, 'to', f.destination, 'at', f.done_at)
      from refunds f left join receipts c on c.id = f.receipt_id
      where f.order_id = o.id and f.state = 'done' and (c.id is null or c.verdict = 'accepted')
      order by f.id desc limit 1) as refund
   from orders o left join payment_methods m on m.id = o.payment_method_id
   left join pricing_rules r on r.id = (o.price_steps ->> 'ruleId')::bigint and r.user_id = o.user_id
   left join promocodes k on k.order_id = o.id and k.buyer_id = o.user_id
   left join terms t on t.product = o.product and t.item_id = o.item_id and t.user_id = o.user_id and t.state <> 'deleted'
   where o.id = $1::bigint and o.user_id = $2::bigint`,
)

export const findPayment = async (
  db: Db,
  payment: { readonly id: number; readonly userId: number; readonly now: number },
): Promise<PaymentRow | undefined> => (await paymentById(db, payment.id, payment.userId, payment.now))[0]
