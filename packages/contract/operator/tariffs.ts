import Type from 'typebox'
import { Closed, field, Id } from '../shapes.ts'
import { SaleProblem } from './shapes.ts'

/** What the operator sells something for, by length and method. */

export const Tariffs = field(
  Type.Array(
    Closed({
      days: Type.Integer({ minimum: 1, maximum: 3650 }),
      prices: Type.Array(
        Closed({
          payment_method_id: Id,
          price: field(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 }), {
            en: 'In the currency of the method',
            ru: 'В валюте способа оплаты',
          }),
          old_price: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 })),
        }),
        { minItems: 1, maxItems: 50 },
      ),
    }),
    { maxItems: 20 },
  ),
  {
    en: 'All of them: a length that is not named is no longer sold',
    ru: 'Все сразу: не названный срок больше не продаётся',
    example: [{ days: 30, prices: [{ payment_method_id: 1, price: 300 }] }],
  },
)

export const tariffFields = {
  id: Id,
  days: field(Type.Integer(), { example: 30 }),
  prices: field(
    Type.Array(
      Closed({ payment_method_id: Id, price: Type.Number(), old_price: Type.Optional(Type.Number()) }),
    ),
    { example: [{ payment_method_id: 1, price: 300 }] },
  ),
  problem: SaleProblem,
}

export const TariffRows = Type.Array(Closed(tariffFields))
