import Type from 'typebox'
import { currencies, productTypes } from './money-shapes.ts'
import { type Role, table } from './operation.ts'
import { Closed, Id, Nullable, Text, UnixSeconds } from './shapes.ts'

/** Payments, payouts, codes and rates, as the operator works with them. Lists go back in time from `before`. */

const money: readonly Role[] = ['owner', 'finance']
const ById = Closed({ id: Id })
const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  before: Type.Optional(Id),
}
const Reason = Text(1, 500)
const Moment = Nullable(UnixSeconds)
const orderStates = ['created', 'paid', 'fulfilled', 'cancelled', 'expired', 'refunded'] as const
const ProductTypeValue = Type.Enum([...productTypes])
const Anything = Type.Record(Type.String(), Type.Any())

const PaymentRow = {
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

const RefundRow = Closed({
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

const WithdrawalStatus = Type.Enum(['pending', 'paid', 'rejected'])

export const operatorMoney = table({
  searchPayments: {
    method: 'GET',
    path: '/payments',
    summary:
      'Orders with their payments, newest first; search by customer, state, provider or any of their ids',
    auth: 'operator',
    limit: 'none',
    request: {
      query: Closed({
        ...page,
        user_id: Type.Optional(Id),
        state: Type.Optional(Type.Enum([...orderStates])),
        provider: Type.Optional(Text(1, 32)),
        search: Type.Optional(Text(1, 200)),
      }),
    },
    response: { 200: Type.Array(Closed(PaymentRow)) },
    errors: [],
  },
  showPayment: {
    method: 'GET',
    path: '/payments/:id',
    summary: 'One order with the steps of its price, what was received, refunds and entries of the ledger',
    auth: 'operator',
    limit: 'none',
    request: { params: ById },
    response: {
      200: Closed({
        ...PaymentRow,
        price_steps: Anything,
        receipts: Type.Array(
          Closed({
            id: Id,
            receipt_id: Type.String(),
            amount: Type.Number(),
            currency: Type.String(),
            value_rub: Type.Integer(),
            verdict: Type.String(),
            created_at: UnixSeconds,
          }),
        ),
        refunds: Type.Array(RefundRow),
        transfers: Type.Array(
          Closed({
            id: Id,
            kind: Type.String(),
            from: Type.String(),
            to: Type.String(),
            amount: Type.Number(),
            currency: Type.String(),
            created_at: UnixSeconds,
          }),
        ),
      }),
    },
    errors: ['NOT_FOUND'],
  },
  refundPayment: {
    method: 'POST',
    path: '/payments/:id/refund',
    summary: 'Give the money back, to where it came from or to the balance; what was granted is taken back',
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        to: Type.Enum(['source', 'balance']),
        reason: Reason,
        recipient: Type.Optional(Text(1, 64)),
      }),
    },
    response: { 201: RefundRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
  },
  creditReceipt: {
    method: 'POST',
    path: '/receipts/:id/credit',
    summary: 'Money of a wrong amount that was put aside goes to the customer’s balance',
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: { params: ById, body: Closed({ reason: Reason }) },
    response: { 201: Closed({ order_id: Id, value_rub: Type.Integer() }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
  },
  listWithdrawals: {
    method: 'GET',
    path: '/withdrawals',
    summary: 'Withdrawals of referral earnings, newest first',
    auth: 'operator',
    limit: 'none',
    request: { query: Closed({ ...page, status: Type.Optional(WithdrawalStatus) }) },
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          user_id: Id,
          email: Nullable(Type.String()),
          method: Type.String(),
          amount: Type.Integer(),
          bank_id: Nullable(Type.String()),
          bank_name: Nullable(Type.String()),
          account: Type.String({ description: 'Masked' }),
          status: WithdrawalStatus,
          reason: Nullable(Type.String()),
          created_at: UnixSeconds,
          decided_at: Moment,
        }),
      ),
    },
    errors: [],
  },
  revealWithdrawalAccount: {
    method: 'POST',
    path: '/withdrawals/:id/account',
    summary: 'The whole card number or phone of a pending withdrawal; every look is kept in the audit log',
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: { params: ById },
    response: { 200: Closed({ account: Type.String(), bank_id: Nullable(Type.String()) }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  approveWithdrawal: {
    method: 'POST',
    path: '/withdrawals/:id/approve',
    summary: 'The money was sent to the customer',
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: { params: ById },
    response: { 200: Closed({ id: Id, status: WithdrawalStatus }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
  },
  rejectWithdrawal: {
    method: 'POST',
    path: '/withdrawals/:id/reject',
    summary: 'Nothing is sent; the amount goes back to the referral balance, and the customer reads why',
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: { params: ById, body: Closed({ reason: Reason }) },
    response: { 200: Closed({ id: Id, status: WithdrawalStatus }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
  },
  issuePromocodes: {
    method: 'POST',
    path: '/promocodes',
    summary: 'Issue activation keys; each works once. They are shown only here',
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      body: Closed({
        product_type: ProductTypeValue,
        days: Type.Integer({ minimum: 1, maximum: 3650 }),
        count: Type.Integer({ minimum: 1, maximum: 1000 }),
        expires_at: Type.Optional(Nullable(UnixSeconds)),
      }),
    },
    response: { 201: Closed({ codes: Type.Array(Type.String()) }) },
    errors: ['CONFLICT'],
    idempotent: true,
  },
  listIssuedPromocodes: {
    method: 'GET',
    path: '/promocodes',
    summary: 'Activation keys, issued and bought, newest first; the middle of a code is hidden',
    auth: 'operator',
    limit: 'none',
    request: {
      query: Closed({
        ...page,
        product_type: Type.Optional(ProductTypeValue),
        is_active: Type.Optional(Type.Boolean()),
      }),
    },
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          code: Type.String({ description: 'Masked' }),
          product_type: ProductTypeValue,
          days: Type.Integer(),
          is_active: Type.Boolean(),
          buyer_id: Nullable(Id),
          used_by: Nullable(Id),
          used_at: Moment,
          expires_at: Moment,
          revoked_at: Moment,
          created_at: UnixSeconds,
        }),
      ),
    },
    errors: [],
  },
  revokePromocode: {
    method: 'DELETE',
    path: '/promocodes/:id',
    summary: 'Make an unused activation key worthless',
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: { params: ById },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  listRates: {
    method: 'GET',
    path: '/rates',
    summary: 'Exchange rates; a method whose rate is stale is not on sale',
    auth: 'operator',
    limit: 'none',
    request: {},
    response: {
      200: Type.Array(
        Closed({
          currency: Type.String(),
          rub: Nullable(Type.Number({ description: 'Roubles for one unit' })),
          source: Nullable(Type.String()),
          set_at: Moment,
          valid_until: Moment,
          is_fresh: Type.Boolean(),
        }),
      ),
    },
    errors: [],
  },
  setRate: {
    method: 'PUT',
    path: '/rates/:currency',
    summary: 'Set a rate by hand; it holds for the hours given, or until it is changed when these are null',
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      params: Closed({ currency: Type.String({ pattern: '^[A-Z0-9]{3,10}$' }) }),
      body: Closed({
        rub: Type.Number({ minimum: 0.000001, maximum: 1_000_000_000 }),
        valid_hours: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 8760 }))),
      }),
    },
    response: { 200: Closed({ currency: Type.String(), rub: Type.Number(), valid_until: Moment }) },
    errors: ['NOT_FOUND'],
  },
})

export const rateCurrencies = currencies.filter((currency) => currency !== 'RUB')
