import Type, { type Static } from 'typebox'
import { Closed, Id, Nullable, UnixSeconds } from '../shapes.ts'

/** What payments, codes and earnings look like. */

export const productTypes = ['configs', 'paid_options', 'cloud_servers'] as const
export type ProductType = (typeof productTypes)[number]

export const paymentTypes = ['new_config', 'renewal', 'cloud_server', 'paid_option', 'balance_topup'] as const
export type PaymentType = (typeof paymentTypes)[number]

export const currencies = ['RUB', 'TON', 'USDT', 'XTR', 'USD'] as const

const offset = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
/** Pages of referrals, payments and promocodes. */
export const pageFields = { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })), offset }

export const ReferralRecord = Closed({
  amount: Type.Integer({ description: 'Roubles' }),
  method: Type.Optional(Type.String()),
  account: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
  created_at: UnixSeconds,
  email: Type.Optional(Type.String()),
})
export type ReferralRecord = Static<typeof ReferralRecord>

export const Bank = Closed({ id: Type.String(), name: Type.String() })

export const BalancePaymentOption = Closed({
  id: Id,
  method_key: Type.String(),
  display_name: Type.String(),
  price: Type.Number({ description: 'In the currency of the method' }),
  currency: Type.String({ description: 'RUB, TON, USDT, XTR' }),
})

export const PaymentRecord = Closed({
  id: Id,
  amount: Nullable(Type.String()),
  type: Nullable(Type.Enum([...paymentTypes])),
  method: Type.String({
    description: 'One of sbp, card, ton, usdt, stars, balance, promocode, referral',
  }),
  days: Type.Integer(),
  is_paid: Type.Boolean(),
  as_key: Type.Boolean(),
  created_at: UnixSeconds,
})
export type PaymentRecord = Static<typeof PaymentRecord>

export const PurchasedPromocode = Closed({
  id: Id,
  code: Type.String(),
  activation_days: Type.Integer(),
  product_type: Type.Enum([...productTypes]),
  is_active: Type.Boolean({ description: 'False once used' }),
  created_at: UnixSeconds,
})
