import Type from 'typebox'
import { table } from '../operation.ts'
import { Closed, Id, Nullable, Text, UnixSeconds } from '../shapes.ts'
import { Prose } from '../visible-text.ts'
import { Anything, ById, Moment, money, page, Reason } from './shapes.ts'

/** The operator's daily work: customers, methods, settings, alerts and what was done by whom. */

const Settings = Closed({
  referral_percent: Type.Integer({ minimum: 0, maximum: 100 }),
  referral_hold_days: Type.Integer({ minimum: 0, maximum: 365 }),
})

const PaymentMethodRow = Closed({
  id: Id,
  key: Type.String(),
  currency: Type.String(),
  provider: Nullable(Type.String()),
  min_amount: Type.Number(),
  is_active: Type.Boolean(),
  is_available: Type.Boolean({ description: 'Switched on, its provider configured, its rate fresh' }),
})

export const operatorOffice = table({
  searchUsers: {
    method: 'GET',
    path: '/users',
    summary: 'Customers, newest first; search by e-mail, id or referral code',
    auth: 'operator',
    limit: 'none',
    request: { query: Closed({ ...page, search: Type.Optional(Text(1, 254)) }) },
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          email: Nullable(Type.String()),
          balance: Type.Integer(),
          referral_balance: Type.Integer(),
          referral_code: Type.String(),
          referrer_id: Nullable(Id),
          is_blocked: Type.Boolean(),
          created_at: UnixSeconds,
          deleted_at: Moment,
        }),
      ),
    },
    errors: [],
  },
  listAccountEvents: {
    method: 'GET',
    path: '/users/:id/events',
    summary: 'What happened to an account: sign-ins, changes of keys, transfers, deletion; newest first',
    auth: 'operator',
    limit: 'none',
    request: { params: ById, query: Closed(page) },
    response: {
      200: Type.Array(Closed({ id: Id, kind: Type.String(), details: Anything, created_at: UnixSeconds })),
    },
    errors: ['NOT_FOUND'],
  },
  adjustBalance: {
    method: 'POST',
    path: '/users/:id/balance',
    summary: 'Add to a balance, or take from it with a negative amount; the reason is kept',
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        account: Type.Enum(['wallet', 'referral']),
        amount: Type.Integer({ minimum: -1_000_000_000, maximum: 1_000_000_000 }),
        reason: Reason,
      }),
    },
    response: { 201: Closed({ balance: Type.Integer(), referral_balance: Type.Integer() }) },
    errors: ['NOT_FOUND', 'INSUFFICIENT_BALANCE', 'INSUFFICIENT_REFERRAL_BALANCE', 'CONFLICT'],
    idempotent: true,
  },
  blockUser: {
    method: 'PATCH',
    path: '/users/:id/blocked',
    summary: 'Close an account, or open it again; it works at once on every instance',
    auth: 'operator',
    limit: 'none',
    request: { params: ById, body: Closed({ is_blocked: Type.Boolean() }) },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  listPricingRules: {
    method: 'GET',
    path: '/users/:id/pricing-rules',
    summary: "A customer's personal discounts and surcharges",
    auth: 'operator',
    limit: 'none',
    request: { params: ById },
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          type: Type.String(),
          product_id: Nullable(Id),
          percent: Type.Number(),
          comment: Nullable(Type.String()),
        }),
      ),
    },
    errors: ['NOT_FOUND'],
  },
  deletePricingRule: {
    method: 'DELETE',
    path: '/users/:id/pricing-rules/:rule_id',
    summary: 'Take a personal discount or surcharge away',
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: { params: Closed({ id: Id, rule_id: Id }) },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  listPaymentMethods: {
    method: 'GET',
    path: '/payment-methods',
    summary: 'Payment methods, with what keeps them off sale',
    auth: 'operator',
    limit: 'none',
    request: {},
    response: { 200: Type.Array(PaymentMethodRow) },
    errors: [],
  },
  changePaymentMethod: {
    method: 'PATCH',
    path: '/payment-methods/:id',
    summary: 'Switch a payment method on or off, or give it to another provider',
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        provider: Type.Optional(Text(1, 32)),
        is_active: Type.Optional(Type.Boolean()),
        min_amount: Type.Optional(Type.Number({ minimum: 0.01, maximum: 1_000_000 })),
      }),
    },
    response: { 200: PaymentMethodRow },
    errors: ['NOT_FOUND'],
  },
  showSettings: {
    method: 'GET',
    path: '/settings',
    summary: 'What can be changed while the service runs',
    auth: 'operator',
    limit: 'none',
    request: {},
    response: { 200: Settings },
    errors: [],
  },
  changeSettings: {
    method: 'PATCH',
    path: '/settings',
    summary: 'Change settings; what is left out stays',
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      body: Closed({
        referral_percent: Type.Optional(Settings.properties.referral_percent),
        referral_hold_days: Type.Optional(Settings.properties.referral_hold_days),
      }),
    },
    response: { 200: Settings },
    errors: [],
  },
  listAlerts: {
    method: 'GET',
    path: '/alerts',
    summary: 'What only a person can put right, newest first',
    auth: 'operator',
    limit: 'none',
    request: { query: Closed({ ...page, is_open: Type.Optional(Type.Boolean()) }) },
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          kind: Type.String(),
          subject: Type.String(),
          details: Anything,
          created_at: UnixSeconds,
          resolved_at: Moment,
          resolved_by: Nullable(Id),
        }),
      ),
    },
    errors: [],
  },
  resolveAlert: {
    method: 'POST',
    path: '/alerts/:id/resolve',
    summary: 'Put right; say how',
    auth: 'operator',
    limit: 'none',
    request: { params: ById, body: Closed({ comment: Type.Optional(Prose(1, 500)) }) },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  listAudit: {
    method: 'GET',
    path: '/audit',
    summary: 'Every change operators made, newest first',
    auth: 'operator',
    limit: 'none',
    request: {
      query: Closed({
        ...page,
        action: Type.Optional(Text(1, 64)),
        subject: Type.Optional(Text(1, 128)),
        operator_id: Type.Optional(Id),
      }),
    },
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          operator_id: Id,
          operator: Type.String(),
          action: Type.String(),
          subject: Type.String(),
          details: Anything,
          created_at: UnixSeconds,
        }),
      ),
    },
    errors: [],
  },
})
