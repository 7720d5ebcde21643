import Type from 'typebox'
import { table } from '../operation.ts'
import { Closed, exampleTime, field, Nullable } from '../shapes.ts'
import { firstOnes, Moment, money, SeenVersion, Version } from './shapes.ts'

const roublesForOne = { en: 'Roubles for one unit', ru: 'Рублей за единицу', example: 412.5 }
const Rub = field(Type.Number(), roublesForOne)
const RateCurrency = field(Type.String(), { example: 'TON' })
const ValidUntil = field(Moment, { example: exampleTime + 86_400 })

const RateRow = Closed({
  currency: RateCurrency,
  rub: Nullable(Rub),
  source: field(Nullable(Type.String()), { example: 'operator' }),
  set_at: Moment,
  valid_until: ValidUntil,
  is_fresh: field(Type.Boolean(), {
    en: 'Whether it can be sold by now',
    ru: 'Можно ли сейчас продавать по этому курсу',
  }),
  version: Version,
})

/** Part of the operator's money: what currencies are worth. */
export const rateRows = table({
  listRates: {
    method: 'GET',
    path: '/rates',
    summary: {
      en: 'Exchange rates; a method whose rate is stale is not on sale',
      ru: 'Курсы валют; способ оплаты с устаревшим курсом не продаётся',
    },
    auth: 'operator',
    limit: 'none',
    request: { query: Closed(firstOnes) },
    response: {
      200: Type.Array(RateRow),
    },
    errors: [],
  },
  setRate: {
    method: 'PUT',
    path: '/rates/:currency',
    summary: {
      en: 'Set a rate by hand; it holds for the hours given, or until it is changed when these are null',
      ru: 'Задать курс вручную: на столько часов или, если null, пока не изменят',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      params: Closed({ currency: field(Type.String({ pattern: '^[A-Z0-9]{3,10}$' }), { example: 'TON' }) }),
      body: Closed({
        rub: field(Type.Number({ minimum: 0.000001, maximum: 1_000_000_000 }), roublesForOne),
        valid_hours: field(Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 8760 }))), {
          en: '168 when left out; null: until it is changed',
          ru: 'Если не указано — 168; null — пока не изменят',
        }),
        version: SeenVersion,
      }),
    },
    example: { body: { rub: 412.5, valid_hours: 24 } },
    response: { 200: RateRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'rate' },
  },
})
