import Type, { type Static } from 'typebox'
import { paymentTypes, productClasses } from '../product-types.ts'
import { Closed, CreatedAt, exampleTime, field, Id, Nullable, pageOf, UnixSeconds } from '../shapes.ts'
import { codeExample } from './account-shapes.ts'
import { Currency, Days } from './shapes.ts'

/** What payments, codes and earnings look like. */

export const currencies = ['RUB', 'TON', 'USDT', 'XTR', 'USD'] as const

/** Pages of referrals, payments and promocodes. */
export const pageFields = pageOf(100)

export const ReferralRecord = Closed({
  amount: field(Type.Integer(), { en: 'Roubles', ru: 'Рубли', example: 40 }),
  method: Type.Optional(Type.String()),
  account: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
  created_at: CreatedAt,
  available_at: field(Type.Optional(UnixSeconds), {
    en: 'When an earning that is held can be spent or withdrawn, Unix time in seconds',
    ru: 'Когда удержанный заработок можно будет потратить или вывести, время Unix в секундах',
    example: exampleTime + 14 * 86_400,
  }),
  email: Type.Optional(Type.String()),
})
export type ReferralRecord = Static<typeof ReferralRecord>

export const ReferralTerms = Closed({
  percent: field(Type.Integer({ minimum: 0, maximum: 100 }), {
    en: 'Of what friends pay, in percent',
    ru: 'Доля от оплат друзей в процентах',
    example: 20,
  }),
  hold_days: field(Type.Integer({ minimum: 0, maximum: 365 }), {
    en: 'For how many days each earning is held',
    ru: 'Сколько дней удерживается каждое начисление',
    example: 14,
  }),
  held: field(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
    en: 'How much is held now, in roubles',
    ru: 'Сколько удержано сейчас, в рублях',
    example: 40,
  }),
})

export const bankExample = '100000000111'

export const Bank = Closed({
  id: field(Type.String(), { example: bankExample }),
  name: field(Type.String(), { example: 'Сбербанк' }),
})

export const BalancePaymentOption = Closed({
  id: Id,
  method_key: field(Type.String(), { example: 'ton' }),
  display_name: field(Type.String(), { example: 'TON' }),
  price: field(Type.Number(), {
    en: 'In the currency of the method',
    ru: 'В валюте способа оплаты',
    example: 1.22,
  }),
  currency: field(Currency, { example: 'TON' }),
})

export const PaymentRecord = Closed({
  id: Id,
  amount: field(Nullable(Type.String()), { example: '200' }),
  type: Nullable(Type.Enum([...paymentTypes])),
  method: field(Type.String(), {
    en: 'One of sbp, card, ton, usdt, stars, balance, promocode, referral, or gift for what support gave',
    ru: 'Одно из: sbp, card, ton, usdt, stars, balance, promocode, referral или gift — подарок поддержки',
    example: 'sbp',
  }),
  days: Days,
  is_paid: Type.Boolean(),
  as_key: field(Type.Boolean(), { example: false }),
  created_at: CreatedAt,
})
export type PaymentRecord = Static<typeof PaymentRecord>

export const PurchasedPromocode = Closed({
  id: Id,
  code: field(Type.String(), { example: codeExample }),
  activation_days: field(Type.Integer(), {
    en: 'For how many days it activates',
    ru: 'На сколько дней активирует',
    example: 30,
  }),
  product_type: Type.Enum([...productClasses]),
  is_active: field(Type.Boolean(), { en: 'False once used', ru: 'false — уже использован' }),
  created_at: CreatedAt,
})
