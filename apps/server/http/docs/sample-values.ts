import type { OperationName } from '@sallyport/contract/tables'
import type { Language } from '@sallyport/domain/language'

/** Values for the examples of the reference. */

export type Values = Readonly<Record<string, unknown>>

const link =
  'vless://0b7c…@203.0.113.10:443?security=reality&flow=xtls-rprx-vision&sni=www.example.com#Amsterdam'
const key = 'mKq1cXJ6dEw0u8mS3tYv5yB7pR9zN2aL4fH6gD8kT0o'
const now = 1_767_225_600

/** Used for a field of that name wherever the value fits its schema. */
const known: Readonly<Record<string, readonly unknown[]>> = {
  id: [42],
  title: ['Laptop'],
  protocol: ['vless'],
  currency: ['RUB'],
  price: [200],
  days: [30],
  auto_renewal: [false],
  auto_renewal_days: [null],
  connection_url: [link],
  created_at: [now],
  last_used_at: [now + 3600],
  last_seen_at: [now],
  expires_at: [now + 30 * 86_400],
  available_slots: [120],
  code: ['NL'],
  host: ['203.0.113.10'],
  date: ['2026-01-01'],
  cpu: [12.5],
  ram: [48.2],
  up: [310.4],
  down: [295.1],
  uptime_days: [37],
  address: ['203.0.113.10'],
  ping_ip: ['203.0.113.10'],
  email: ['anna@example.com'],
  uuid: ['0b7c1f52-6c1e-4f0e-9d3b-2a4f8f5f6c11'],
  subscription_key: ['k3Vb9QwErTy1UiOp5AsDf7GhJk2LzXc8'],
  sign_in_method: ['authCode'],
  balance: [10_000],
  referral_code: ['ANNA2026'],
  private_key: [key],
  public_key: [key],
  prefix: ['a1B2c3D4'],
  api_key: ['slp_a1B2c3D4_XXXXXXXXXXXXXXXXXXXXXXXX'],
  session_token: ['eyJhbGciOiJFZERTQSJ9…'],
  percent: [-10],
  type: ['configs'],
  name: ['ams-1'],
  version: ['26.3.27'],
  capacity: [200],
  domain: ['nl1.example.com'],
  ports: [{ vless: 443 }],
  reality_target: ['www.example.com:443'],
  reality_server_name: ['www.example.com'],
  tag: ['vless-3'],
  inbound: ['vless-3'],
  listen: ['0.0.0.0'],
  cpu_model: ['AMD EPYC'],
  agent_version: ['0.1.0'],
  apply_error: [null],
  detail: [null],
  referral_balance: [1250],
  amount: [200, '200'],
  value_rub: [200],
  link: ['https://vpn.example.com/pay/7hQ2mX9cKd3VbN5tRw8yZa'],
  method: ['sbp'],
  method_key: ['sbp'],
  product: ['configs'],
  provider: ['yookassa'],
  item_id: [42],
  state: ['fulfilled', 'done'],
  is_renewal: [false],
  as_key: [false],
  payment_id: ['7hQ2mX9cKd3VbN5tRw8yZa'],
  provider_payment_id: ['2e8f0c1a-000f-5000-8000-1b2c3d4e5f60'],
  receipt_id: ['2e8f0c1a-000f-5000-8000-1b2c3d4e5f60'],
  paid_at: [now + 60],
  fulfilled_at: [now + 61],
  refunded_at: [null],
  refunded_to: [null],
  verdict: ['accepted'],
  destination: ['source'],
  failure: [null],
  done_at: [now + 86_400],
  decided_at: [null],
  bank_id: ['100000000111'],
  activation_days: [30],
  is_blocked: [false],
  referrer_id: [null],
  user_id: [7],
  operator_id: [1],
  operator: ['olga'],
  is_available: [true],
  referral_percent: [20],
  referral_hold_days: [14],
  notification_start_hour: [9],
  notification_end_hour: [21],
  timezone_offset: [180],
}

/** Words the service itself says in the caller's language. */
const spoken: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  display_name: { ru: 'Баланс', en: 'Balance' },
  caption: { ru: 'Демо', en: 'Demo' },
  description: { ru: 'Амстердам, быстрый канал по Европе', en: 'Amsterdam, fast across Europe' },
  content: { ru: 'Технические работы завершены', en: 'Maintenance is over' },
  comment: { ru: 'Постоянный клиент', en: 'A regular customer' },
  product_title: { ru: 'Все конфигурации', en: 'All configurations' },
}

export const valuesOf = (name: string, language: Language): readonly unknown[] => {
  if (Object.hasOwn(spoken, name)) return [spoken[name]?.[language]]
  return Object.hasOwn(known, name) ? (known[name] as readonly unknown[]) : []
}

const rate = { currency: 'TON', rub: 412.5, source: 'operator', set_at: now, valid_until: now + 86_400 }
const bookedPayment = {
  state: 'fulfilled',
  price_steps: { list: 200, ruleId: null, percent: 0, charged: 200 },
  kind: 'payment',
  from: 'provider yookassa RUB',
  to: 'clearing RUB',
  refunds: [],
}

/** What a name says in one operation, where it says something else than everywhere. */
export const ownValues: Partial<Readonly<Record<OperationName, Values>>> = {
  listReferralRecords: { amount: 40, email: 'a•••@example.com', status: 'held' },
  listSbpBanks: { id: '100000000111', name: 'Сбербанк' },
  calculateTopup: { display_name: 'TON', method_key: 'ton', currency: 'TON', price: 1.22 },
  listPromocodes: { code: 'K7QM-2XPA-9D4T-HW3C' },
  showPayment: bookedPayment,
  refundPayment: { state: 'requested', done_at: null, reason: 'asked within a day' },
  listWithdrawals: { amount: 5000, bank_name: 'Сбербанк', account: '+7900•••••67', reason: null },
  revealWithdrawalAccount: { account: '+79001234567' },
  approveWithdrawal: { status: 'paid' },
  rejectWithdrawal: { status: 'rejected' },
  issuePromocodes: { codes: ['K7QM-2XPA-9D4T-HW3C'] },
  listIssuedPromocodes: {
    code: 'K7QM-••••-••••-HW3C',
    buyer_id: null,
    used_by: null,
    used_at: null,
    expires_at: null,
    revoked_at: null,
  },
  listRates: rate,
  setRate: rate,
  listPricingRules: { product_id: null },
  deletePricingRule: { rule_id: 3 },
  listPaymentMethods: { id: 2, key: 'sbp', min_amount: 10 },
  changePaymentMethod: { id: 2, key: 'sbp', min_amount: 10 },
  changeSettings: { referral_percent: 25 },
  changeNotificationSettings: { notification_end_hour: 23 },
  listAlerts: {
    kind: 'wrong_amount',
    subject: 'payment:42',
    details: { expected: 200, received: 150 },
    resolved_at: null,
    resolved_by: null,
  },
  listAudit: {
    action: 'adjustBalance',
    subject: 'user:7',
    details: { account: 'wallet', amount: 300, reason: 'two days without a server' },
  },
}
