import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, CreatedAt, field, Id, Nullable, Text } from '../../shapes.ts'
import { Amount, AmountCurrency, money, page } from '../shapes.ts'

const named = {
  en: 'user:7:wallet, or the name of one of the service’s own; in another currency than roubles with the currency',
  ru: 'user:7:wallet или имя счёта самого сервиса; если счёт не в рублях — с валютой',
}

export const TransferRow = Closed({
  id: Id,
  cause: field(Type.String(), {
    en: 'The one event behind it',
    ru: 'Событие, из-за которого она сделана',
    example: 'order:1:charge',
  }),
  kind: field(Type.String(), { example: 'purchase' }),
  from: field(Type.String(), { ...named, example: 'user:7:wallet' }),
  to: field(Type.String(), { ...named, example: 'revenue' }),
  amount: Amount,
  currency: AmountCurrency,
  order_id: field(Nullable(Id), { example: 1 }),
  created_at: CreatedAt,
})

/** Part of the figures: the ledger itself. */
export const ledgerRows = table({
  listTransfers: {
    method: 'GET',
    path: '/ledger',
    summary: {
      en: 'Transfers of the ledger, newest first; of an account, or whose cause begins so',
      ru: 'Проводки, сначала новые; по счёту или по началу причины',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      query: Closed({
        ...page,
        account: field(Type.Optional(Text(1, 100)), {
          en: 'user:7:wallet, user:7:referral, or one of the service’s own: revenue, refunds, provider:yookassa, clearing:TON',
          ru: 'user:7:wallet, user:7:referral или счёт сервиса: revenue, refunds, provider:yookassa, clearing:TON',
          example: 'user:7:wallet',
        }),
        cause: field(Type.Optional(Text(1, 100)), {
          en: 'How the cause begins: order:77: is all of one order',
          ru: 'Начало причины: order:77: — всё по одному заказу',
          example: 'order:77:',
        }),
      }),
    },
    response: { 200: Type.Array(TransferRow) },
    errors: [],
    csv: true,
  },
  checkLedger: {
    method: 'GET',
    mayBeOld: true,
    path: '/ledger/check',
    summary: {
      en: 'Adds everything up: what is out of balance, in the smallest units; 0 when all is well',
      ru: 'Пересчитать всё: расхождение в наименьших единицах; 0, если всё сходится',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {},
    response: {
      200: Closed({
        accounts: field(Type.Integer(), { example: 4123 }),
        transfers: field(Type.Integer(), { example: 98_765 }),
        imbalance: field(Type.Integer(), {
          en: 'Differences between balances and their transfers, and of the two sides of transfers',
          ru: 'Расхождения остатков с проводками и двух сторон проводок',
          example: 0,
        }),
      }),
    },
    errors: [],
  },
})
