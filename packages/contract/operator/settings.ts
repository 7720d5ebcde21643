import Type from 'typebox'
import { table } from '../operation.ts'
import { Closed, CreatedAt, field, Id, Nullable, Text } from '../shapes.ts'
import { Prose } from '../visible-text.ts'
import { customerRows } from './customers.ts'
import { AmountCurrency, Anything, ById, money, NamedProvider, NotYet, ProviderName, page } from './shapes.ts'

/** The operator's daily work: customers, methods, settings, alerts and what was done by whom. */

const Settings = Closed({
  referral_percent: field(Type.Integer({ minimum: 0, maximum: 100 }), {
    en: 'Percent of money from outside that goes to who invited',
    ru: 'Сколько процентов внешних платежей достаётся пригласившему',
    example: 20,
  }),
  referral_hold_days: field(Type.Integer({ minimum: 0, maximum: 365 }), {
    en: 'How many days earnings are held',
    ru: 'Сколько дней заработок заморожен',
    example: 14,
  }),
})

const smallestAmount = {
  en: 'The smallest amount the method takes',
  ru: 'Наименьшая сумма для этого способа',
}

const PaymentMethodRow = Closed({
  id: field(Id, { example: 2 }),
  key: field(Type.String(), { example: 'sbp' }),
  currency: AmountCurrency,
  provider: ProviderName,
  min_amount: field(Type.Number(), { ...smallestAmount, example: 10 }),
  is_active: Type.Boolean(),
  is_available: field(Type.Boolean(), {
    en: 'Switched on, its provider configured, its rate fresh',
    ru: 'Включён, провайдер настроен, курс свежий',
  }),
})

export const operatorSettings = table({
  ...customerRows,
  listPaymentMethods: {
    method: 'GET',
    path: '/payment-methods',
    summary: {
      en: 'Payment methods, with what keeps them off sale',
      ru: 'Способы оплаты и что мешает им продаваться',
    },
    auth: 'operator',
    limit: 'none',
    request: {},
    response: { 200: Type.Array(PaymentMethodRow) },
    errors: [],
  },
  changePaymentMethod: {
    method: 'PATCH',
    path: '/payment-methods/:id',
    summary: {
      en: 'Switch a payment method on or off, or give it to another provider',
      ru: 'Включить или выключить способ оплаты, передать его другому провайдеру',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        provider: NamedProvider,
        is_active: Type.Optional(Type.Boolean()),
        min_amount: field(Type.Optional(Type.Number({ minimum: 0.01, maximum: 1_000_000 })), smallestAmount),
      }),
    },
    example: { params: { id: 2 }, body: { provider: 'yookassa', is_active: true } },
    response: { 200: PaymentMethodRow },
    errors: ['NOT_FOUND'],
    audit: { subject: 'payment_method' },
  },
  showSettings: {
    method: 'GET',
    path: '/settings',
    summary: { en: 'What can be changed while the service runs', ru: 'Что можно менять на ходу' },
    auth: 'operator',
    limit: 'none',
    request: {},
    response: { 200: Settings },
    errors: [],
  },
  changeSettings: {
    method: 'PATCH',
    path: '/settings',
    summary: {
      en: 'Change settings; what is left out stays',
      ru: 'Изменить настройки; неназванное остаётся как было',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      body: Closed({
        referral_percent: Type.Optional(Settings.properties.referral_percent),
        referral_hold_days: Type.Optional(Settings.properties.referral_hold_days),
      }),
    },
    example: { body: { referral_percent: 25 }, data: { referral_percent: 25, referral_hold_days: 14 } },
    response: { 200: Settings },
    errors: [],
    audit: { subject: 'settings' },
  },
  listAlerts: {
    method: 'GET',
    path: '/alerts',
    summary: {
      en: 'What only a person can put right, newest first',
      ru: 'То, что может исправить только человек, сначала новое',
    },
    auth: 'operator',
    limit: 'none',
    request: {
      query: Closed({
        ...page,
        is_open: field(Type.Optional(Type.Boolean()), {
          en: 'true: unresolved; false: resolved',
          ru: 'true — нерешённые, false — решённые',
        }),
      }),
    },
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          kind: field(Type.String(), { example: 'wrong_amount' }),
          subject: field(Type.String(), { example: 'payment:42' }),
          details: field(Anything, { example: { expected: 200, received: 150 } }),
          created_at: CreatedAt,
          resolved_at: NotYet,
          resolved_by: field(Nullable(Id), { example: null }),
        }),
      ),
    },
    errors: [],
  },
  resolveAlert: {
    method: 'POST',
    path: '/alerts/:id/resolve',
    summary: { en: 'Put right; say how', ru: 'Отметить исправленным и сказать, как' },
    auth: 'operator',
    limit: 'none',
    request: { params: ById, body: Closed({ comment: Type.Optional(Prose(1, 500)) }) },
    example: { body: { comment: 'refunded by hand' } },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
    audit: { subject: 'alert' },
  },
  listAudit: {
    method: 'GET',
    path: '/audit',
    summary: {
      en: 'Every change operators made, newest first',
      ru: 'Все изменения, сделанные операторами, сначала новые',
    },
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
          operator: field(Type.String(), { example: 'olga' }),
          action: field(Type.String(), { example: 'adjustBalance' }),
          subject: field(Type.String(), { example: 'user:7' }),
          details: field(Anything, {
            example: { account: 'wallet', amount: 300, reason: 'two days without a server' },
          }),
          created_at: CreatedAt,
        }),
      ),
    },
    errors: [],
  },
})
