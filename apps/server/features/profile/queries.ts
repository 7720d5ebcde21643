import { type PricingRuleType, productClasses } from '@sallyport/contract/product-types'
import { products } from '@sallyport/contract/products'
import type { OneProduct } from '@sallyport/domain/money/product-title'
import { titlesIn } from '../../core/sales/product-titles.ts'
import { type Db, prepared } from '../../db/client.ts'

export interface ProfileRow {
  readonly id: number
  readonly email: string | null
  readonly uuid: string
  readonly subscription_key_sealed: Uint8Array
  readonly sign_in_method: string
  readonly referral_code: string
  readonly referrals_count: number
  readonly is_messenger_connected: boolean
  readonly onboarding_completed: boolean
  readonly balance: number
  readonly referral_balance: number
  /** Null when there are none. */
  readonly pricing_rules:
    | (OneProduct & {
        readonly type: PricingRuleType
        readonly percent: number
        readonly comment: string | null
      })[]
    | null
}

/** Of a rule `p` that names one product. */
const titleOfOne = productClasses
  .filter((product) => titlesIn[product])
  .map(
    (product) => `when '${products[product].rule}' then (
      select json_build_object('ru', o.title_ru, 'en', o.title_en) from ${titlesIn[product]} o where o.id = p.product_id)`,
  )
const daysOfOne = productClasses
  .filter((product) => !titlesIn[product])
  .map(
    (product) => `when '${products[product].rule}' then (
      select t.days from tariffs t where t.id = p.product_id and t.product = '${product}')`,
  )

/** The whole profile in one round trip. */
export const profileById = prepared<[number], ProfileRow>(
  `select u.id, u.email, u.uuid, s.key_sealed as subscription_key_sealed, u.sign_in_method, u.referral_code, u.referrals_count,
     u.is_messenger_connected, u.onboarding_completed, w.balance, r.balance as referral_balance,
     (select json_agg(json_build_object('type', p.type, 'percent', p.percent, 'comment', p.comment,
        'title', case p.type ${titleOfOne.join(' ')} end, 'days', case p.type ${daysOfOne.join(' ')} end) order by p.id)
      from pricing_rules p where p.user_id = u.id) as pricing_rules
   from users u
   join subscriptions s on s.user_id = u.id and s.kind = 'account'
   join ledger_accounts w on w.user_id = u.id and w.kind = 'wallet'
   join ledger_accounts r on r.user_id = u.id and r.kind = 'referral'
   where u.id = $1`,
)

export const findProfile = async (db: Db, userId: number): Promise<ProfileRow | undefined> =>
  (await profileById(db, userId))[0]
