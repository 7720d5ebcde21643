import Type from 'typebox'
import { productTypes } from '../customer/money-shapes.ts'
import type { Role } from '../operation.ts'
import { Closed, Id, Nullable, UnixSeconds } from '../shapes.ts'
import { Prose } from '../visible-text.ts'

/** What the operator's tables have in common. Lists go back in time from `before`. */

/** Those who answer for money. */
export const money: readonly Role[] = ['owner', 'finance']
export const ById = Closed({ id: Id })
export const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  before: Type.Optional(Id),
}
export const Reason = Prose(1, 500)
export const Moment = Nullable(UnixSeconds)
export const orderStates = ['created', 'paid', 'fulfilled', 'cancelled', 'expired', 'refunded'] as const
export const ProductTypeValue = Type.Enum([...productTypes])
export const Anything = Type.Record(Type.String(), Type.Any())

export const PaymentRow = {
  id: Id,
  user_id: Id,
  email: Nullable(Type.String()),
  product: Type.String(),
  item_id: Nullable(Id),
  state: Type.Enum([...orderStates]),
  is_renewal: Type.Boolean(),
  as_key: Type.Boolean(),
  days: Type.Integer(),
  method: Type.String(),
  provider: Nullable(Type.String()),
  payment_id: Nullable(Type.String()),
  provider_payment_id: Nullable(Type.String()),
  amount: Type.Number(),
  currency: Type.String(),
  value_rub: Nullable(Type.Integer()),
  created_at: UnixSeconds,
  paid_at: Moment,
  fulfilled_at: Moment,
  refunded_at: Moment,
  refunded_to: Nullable(Type.String()),
}

export const RefundRow = Closed({
  id: Id,
  destination: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  reason: Type.String(),
  state: Type.Enum(['requested', 'done', 'failed']),
  failure: Nullable(Type.String()),
  created_at: UnixSeconds,
  done_at: Moment,
})

export const WithdrawalStatus = Type.Enum(['pending', 'paid', 'rejected'])
