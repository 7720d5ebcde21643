import Type from 'typebox'
import { table } from '../operation.ts'
import { Closed, field, Id, Text } from '../shapes.ts'
import { TransferRow } from './figures/ledger.ts'
import { Receipt } from './figures/orders.ts'
import {
  Anything,
  ById,
  money,
  NamedProvider,
  orderStates,
  page,
  paymentFields,
  Reason,
  Refund,
  Roubles,
  Search,
} from './shapes.ts'

/** Part of the operator's money: orders, what was paid for them, and refunds. */
export const paymentRows = table({
  searchPayments: {
    method: 'GET',
    path: '/payments',
    summary: {
      en: 'Orders with their payments, newest first; search by customer, state, provider or any of their ids',
      ru: 'Заказы с платежами, сначала новые; поиск по клиенту, состоянию, провайдеру и номерам',
    },
    auth: 'operator',
    limit: 'none',
    request: {
      query: Closed({
        ...page,
        user_id: Type.Optional(Id),
        state: Type.Optional(Type.Enum([...orderStates])),
        provider: NamedProvider,
        search: Search(200),
      }),
    },
    response: { 200: Type.Array(Closed(paymentFields)) },
    errors: [],
    csv: true,
  },
  showPayment: {
    method: 'GET',
    path: '/payments/:id',
    summary: {
      en: 'One order with the steps of its price, what was received, refunds and entries of the ledger',
      ru: 'Заказ целиком: шаги цены, поступления, возвраты и проводки',
    },
    auth: 'operator',
    limit: 'none',
    request: { params: ById },
    response: {
      200: Closed({
        ...paymentFields,
        price_steps: field(Anything, {
          en: 'How the price came about',
          ru: 'Как получилась цена',
          example: { list: 200, ruleId: null, percent: 0, charged: 200 },
        }),
        receipts: Type.Array(Receipt),
        refunds: field(Type.Array(Refund), { example: [] }),
        transfers: Type.Array(TransferRow),
      }),
    },
    errors: ['NOT_FOUND'],
  },
  refundPayment: {
    method: 'POST',
    path: '/payments/:id/refund',
    summary: {
      en: 'Give the money back, to where it came from or to the balance; what was granted is taken back',
      ru: 'Вернуть деньги туда, откуда пришли, или на баланс; купленное отбирается',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        to: field(Type.Enum(['source', 'balance']), {
          en: "source: to where the money came from; balance: to the customer's balance",
          ru: 'source — туда, откуда пришли, balance — на баланс клиента',
        }),
        reason: Reason,
        recipient: field(Type.Optional(Text(1, 64)), {
          en: 'Whom to pay back where the provider does not know the payer',
          ru: 'Кому вернуть, если провайдер сам не знает плательщика',
        }),
      }),
    },
    response: { 201: Refund },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'order' },
  },
  creditReceipt: {
    method: 'POST',
    path: '/receipts/:id/credit',
    summary: {
      en: 'Money of a wrong amount that was put aside goes to the customer’s balance',
      ru: 'Отложенные деньги неверной суммы зачислить на баланс клиента',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      params: ById,
      body: Closed({ reason: field(Reason, { example: 'the rate fell while they paid' }) }),
    },
    response: { 201: Closed({ order_id: field(Id, { example: 1 }), value_rub: Roubles }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'receipt' },
  },
})
