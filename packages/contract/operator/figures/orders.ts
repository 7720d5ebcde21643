import Type from 'typebox'
import { table } from '../../operation.ts'
import { productClasses } from '../../product-types.ts'
import { Closed, CreatedAt, ExpiresAt, exampleTime, field, Id, Nullable, UnixSeconds } from '../../shapes.ts'
import {
  Amount,
  AmountCurrency,
  Anything,
  ById,
  Method,
  NotYet,
  orderStates,
  page,
  paymentFields,
  Refund,
  Roubles,
} from '../shapes.ts'
import { TransferRow } from './ledger.ts'

const orderFields = {
  ...paymentFields,
  product_type: field(Type.String(), {
    en: 'What kind of thing was ordered; balance is a top-up',
    ru: 'Что заказано; balance — пополнение баланса',
    example: 'configs',
  }),
  product_id: field(Nullable(Id), {
    en: 'Which one, of a kind that has several',
    ru: 'Какой именно, если таких несколько',
    example: null,
  }),
  location_id: field(Nullable(Id), {
    en: 'Where; null where it is in several places or in none',
    ru: 'Где; null, если мест несколько или нет',
    example: 1,
  }),
  is_gift: field(Type.Boolean(), {
    en: 'Given by an operator without payment',
    ru: 'Подарено оператором, без оплаты',
    example: false,
  }),
  promocode_id: field(Nullable(Id), {
    en: 'The promocode that paid for it',
    ru: 'Промокод, которым оплачено',
    example: null,
  }),
}

const Payment = Closed({
  id: Id,
  payment_id: field(Type.String(), { example: '7hQ2mX9cKd3VbN5tRw8yZa' }),
  provider: field(Type.String(), { example: 'yookassa' }),
  provider_payment_id: field(Nullable(Type.String()), { example: '2e8f0c1a-000f-5000-8000-1b2c3d4e5f60' }),
  method: Method,
  amount: Amount,
  currency: AmountCurrency,
  state: field(Type.Enum(['creating', 'pending', 'succeeded', 'canceled']), { example: 'succeeded' }),
  created_at: CreatedAt,
  expires_at: ExpiresAt,
})

export const Receipt = Closed({
  id: Id,
  receipt_id: field(Type.String(), { example: '2e8f0c1a-000f-5000-8000-1b2c3d4e5f60' }),
  payment_id: field(Id, { example: 1 }),
  provider: field(Type.String(), { example: 'yookassa' }),
  amount: Amount,
  currency: AmountCurrency,
  value_rub: Roubles,
  verdict: field(Type.Enum(['accepted', 'extra', 'suspense']), {
    en: 'accepted: paid the order; extra: too much, credited; suspense: wrong amount or currency',
    ru: 'accepted — оплатило заказ, extra — лишнее, зачислено на баланс, suspense — неверная сумма или валюта',
    example: 'accepted',
  }),
  created_at: CreatedAt,
  credited_at: field(NotYet, {
    en: 'When money that had been put aside was credited',
    ru: 'Когда отложенные деньги зачислены',
  }),
})

const Event = Closed({
  id: Id,
  provider: field(Type.String(), { example: 'yookassa' }),
  event_id: field(Type.String(), { example: 'payment.succeeded:2e8f0c1a-000f-5000-8000-1b2c3d4e5f60' }),
  received_at: UnixSeconds,
  processed_at: field(Nullable(UnixSeconds), { example: exampleTime + 5 }),
  failure: field(Nullable(Type.String()), {
    en: 'Why it was not settled yet',
    ru: 'Почему оно ещё не проведено',
    example: null,
  }),
  payload: field(Nullable(Anything), {
    en: 'What the provider said, without its secrets; null once it is forgotten, 30 days after it was settled',
    ru: 'Что сказал провайдер, без секретов; null, когда оно забыто — через 30 дней после проводки',
    example: { event: 'payment.succeeded' },
  }),
})

const RefundNow = Closed({
  to: field(Type.Array(Type.Enum(['source', 'balance'])), {
    en: 'Where the money could go now; empty when nowhere',
    ru: 'Куда деньги можно вернуть сейчас; пусто, если никуда',
    example: ['source', 'balance'],
  }),
  problem: field(Nullable(Type.String()), {
    en: 'Why it cannot be refunded',
    ru: 'Почему вернуть нельзя',
    example: null,
  }),
  amount: Amount,
  currency: AmountCurrency,
  takes_back: Closed({
    days: field(Type.Integer(), {
      en: 'By how many days the end comes earlier',
      ru: 'На сколько дней раньше закончится срок',
      example: 30,
    }),
    expires_at: field(Nullable(UnixSeconds), {
      en: 'When what was bought would end then; null where nothing ends earlier',
      ru: 'Когда тогда закончится купленное; null, если срок не меняется',
      example: exampleTime + 86_400,
    }),
    key: field(Type.Boolean(), {
      en: 'An activation key that nobody could use any more',
      ru: 'Ключ активации, который перестанет работать',
      example: false,
    }),
    balance: field(Type.Integer(), {
      en: 'Roubles from the balance, for a top-up',
      ru: 'Рубли с баланса, если это пополнение',
      example: 0,
    }),
    commission: field(Type.Integer(), {
      en: "Roubles of the referrer's share",
      ru: 'Рубли из вознаграждения пригласившего',
      example: 40,
    }),
  }),
})

/** Part of the figures: orders one by one. */
export const orderRows = table({
  listOrders: {
    method: 'GET',
    path: '/orders',
    summary: {
      en: 'Orders, newest first; of a customer, in a state, of a kind of product',
      ru: 'Заказы, сначала новые; по клиенту, состоянию и виду товара',
    },
    auth: 'operator',
    limit: 'none',
    request: {
      query: Closed({
        ...page,
        user_id: Type.Optional(Id),
        state: Type.Optional(Type.Enum([...orderStates])),
        product_type: field(Type.Optional(Type.Enum([...productClasses, 'balance'])), {
          en: 'balance is a top-up',
          ru: 'balance — пополнение баланса',
        }),
      }),
    },
    response: { 200: Type.Array(Closed(orderFields)) },
    errors: [],
    csv: true,
  },
  showOrder: {
    method: 'GET',
    path: '/orders/:id',
    summary: {
      en: 'One order with payments, receipts, refunds, what the provider said, transfers, and what a refund now would take back',
      ru: 'Заказ целиком: платежи, поступления, возвраты, слова провайдера, проводки и что отберёт возврат сейчас',
    },
    auth: 'operator',
    limit: 'none',
    request: { params: ById },
    response: {
      200: Closed({
        ...orderFields,
        price_steps: field(Anything, {
          en: 'How the price came about',
          ru: 'Как получилась цена',
          example: { list: 200, ruleId: null, percent: 0, charged: 200 },
        }),
        payments: Type.Array(Payment),
        receipts: Type.Array(Receipt),
        refunds: field(Type.Array(Refund), { example: [] }),
        events: Type.Array(Event),
        transfers: Type.Array(TransferRow),
        refund_now: RefundNow,
      }),
    },
    errors: ['NOT_FOUND'],
  },
})
