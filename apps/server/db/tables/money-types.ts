import type { PricingRuleType } from '@sallyport/contract/product-types'
import type { OrderedProduct, ProductClass } from '@sallyport/contract/products'
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely'

/** The tables about money: prices, orders, payments, codes, earnings, and what customers are told. */

type Id = GeneratedAlways<number>

export interface MoneyTables {
  idempotency_keys: {
    actor: string
    key: string
    operation: string
    body_hash: Uint8Array
    status: number | null
    response_sealed: Uint8Array | null
    payment_id: number | null
    created_at: number
  }
  ledger_accounts: {
    id: Id
    kind: string
    user_id: number | null
    provider: string | null
    currency: Generated<string>
    balance: number | null
  }
  ledger_transfers: {
    id: Id
    cause: string
    kind: string
    from_account_id: number
    to_account_id: number
    amount: number
    order_id: number | null
    created_at: number
  }
  pricing_rules: {
    id: Id
    user_id: number
    type: PricingRuleType
    product_id: number | null
    percent: number
    comment: string | null
    created_at: number
  }
  notifications: {
    id: Id
    user_id: number
    content: string
    cause: string | null
    content_en: string | null
    visible_at: Generated<number>
    is_reminder: Generated<boolean>
    delivered_at: number | null
    created_at: number
  }
  payment_methods: {
    id: number
    key: string
    name_ru: string
    name_en: string
    currency: string
    min_amount: number
    is_active: Generated<boolean>
    provider: string | null
    version: Generated<number>
  }
  tariffs: {
    id: number
    product: ProductClass
    product_id: number | null
    days: number
    is_sold: Generated<boolean>
  }
  /** One row: rises with every change of the configurations' tariffs. */
  config_tariffs_version: {
    is_only: Generated<boolean>
    version: number
  }
  tariff_prices: {
    tariff_id: number
    payment_method_id: number
    price: number
    old_price: number | null
  }
  orders: {
    id: Id
    user_id: number
    product: OrderedProduct
    product_id: number | null
    item_id: number | null
    state: string
    payment_method_id: number | null
    tariff_id: number | null
    days: number
    price: number
    currency: Generated<string>
    value_rub: number
    price_steps: JSONColumnType<Record<string, unknown>>
    purchase: JSONColumnType<Record<string, unknown>>
    as_key: Generated<boolean>
    promocode_id: number | null
    is_renewal: Generated<boolean>
    period_end: number | null
    created_at: number
    expires_at: number | null
    paid_at: number | null
    next_try_at: number | null
    fulfilled_at: number | null
    refunded_at: number | null
    refunded_to: 'balance' | 'source' | null
    merged_at: Generated<number | null>
    location_id: Generated<number | null>
    is_gift: Generated<boolean>
  }
  payments: {
    id: Id
    public_id: string
    order_id: number
    provider: string
    provider_payment_id: string | null
    method_key: string
    amount: number
    currency: string
    state: 'creating' | 'pending' | 'succeeded' | 'canceled'
    link: string | null
    leased_until: number | null
    created_at: number
    expires_at: number
    checks: Generated<number>
    next_check_at: number | null
    is_awaited: Generated<boolean>
    asked_at: Generated<number | null>
    asks: Generated<number>
  }
  receipts: {
    id: Id
    payment_id: number
    order_id: number
    provider: string
    receipt_id: string
    payer: string | null
    amount: number
    currency: string
    value_rub: number
    verdict: 'accepted' | 'extra' | 'suspense'
    created_at: number
    credited_at: Generated<number | null>
  }
  refunds: {
    id: Id
    order_id: number
    receipt_id: number | null
    destination: 'balance' | 'source'
    amount: number
    currency: string
    recipient: string | null
    reason: string
    operator_id: number | null
    state: 'requested' | 'done' | 'failed'
    failure: string | null
    next_try_at: number | null
    attempts: Generated<number>
    created_at: number
    done_at: number | null
  }
  webhook_inbox: {
    id: Id
    provider: string
    event_id: string
    payload_sealed: Uint8Array
    received_at: number
    attempts: Generated<number>
    next_try_at: number | null
    processed_at: number | null
    failure: string | null
    forgotten_at: number | null
  }
  sandbox_payments: {
    payment_id: string
    amount: number
    currency: string
    title_ru: string
    title_en: string
    return_url: string
    state: 'pending' | 'later' | 'succeeded' | 'declined' | 'refunded'
    pay_at: number | null
    expires_at: number
    event_id: string | null
    event_due_at: number | null
    created_at: number
  }
  alerts: {
    id: Id
    kind: string
    subject: string
    details: JSONColumnType<Record<string, unknown>>
    created_at: number
    resolved_at: number | null
    resolved_by: number | null
    taken_by: Generated<number | null>
    mailed_at: Generated<number | null>
    end_mailed_at: Generated<number | null>
  }
  secret_key_check: {
    is_only: Generated<boolean>
    value: Uint8Array
  }
  /** One row: rises with every change of a setting. */
  settings_version: {
    is_only: Generated<boolean>
    version: number
  }
  settings: {
    key: string
    value: ColumnType<unknown, string, string>
    updated_at: number
  }
  rates: {
    currency: string
    micro_rub: number
    source: string
    set_at: number
    valid_until: number | null
    version: Generated<number>
  }
  promocodes: {
    id: Id
    code_hash: Uint8Array
    code_sealed: Uint8Array
    product_type: ProductClass
    product_id: Generated<number | null>
    days: number
    buyer_id: number | null
    order_id: number | null
    operator_id: number | null
    expires_at: number | null
    revoked_at: number | null
    used_by: number | null
    used_order_id: number | null
    used_at: number | null
    created_at: number
  }
  security_counters: {
    key: string
    window_start: number
    count: number
  }
  commissions: {
    id: Id
    referrer_id: number
    referred_id: number
    receipt_id: number
    amount: number
    state: 'held' | 'released' | 'reversed'
    release_at: number
    created_at: number
    released_at: number | null
    reversed_at: number | null
  }
  withdrawals: {
    id: Id
    user_id: number
    method: 'sbp' | 'card'
    amount: number
    bank_id: string | null
    account_sealed: Uint8Array | null
    account_masked: string
    status: 'pending' | 'paid' | 'rejected'
    reason: string | null
    decided_by: number | null
    decided_at: number | null
    two_person_amount: number | null
    created_at: number
  }
}
