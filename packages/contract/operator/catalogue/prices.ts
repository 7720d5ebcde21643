import Type from 'typebox'
import { Days } from '../../customer/shapes.ts'
import { table } from '../../operation.ts'
import { Closed, field, Id, Nullable } from '../../shapes.ts'
import { AmountCurrency, firstOnes, Method, ProductClassValue } from '../shapes.ts'

const inCurrency = { en: 'In the currency of the method', ru: 'В валюте способа оплаты' }

const PriceRow = Closed({
  product_type: field(ProductClassValue, { example: 'configs' }),
  product_id: field(Nullable(Id), {
    en: 'Of paid options and cloud configurations',
    ru: 'У платных опций и облачных конфигураций',
    example: null,
  }),
  title: field(Type.String(), { example: 'Конфигурация VPN' }),
  tariff_id: Id,
  days: Days,
  method: Method,
  currency: AmountCurrency,
  list_price: field(Type.Number(), { ...inCurrency, example: 200 }),
  price: field(Type.Number(), {
    en: 'What this customer pays, in the currency of the method',
    ru: 'Сколько платит этот клиент, в валюте способа оплаты',
    example: 180,
  }),
  rule_id: field(Nullable(Id), {
    en: 'The pricing rule that made the price; null when none did',
    ru: 'Ценовое правило, которое дало эту цену; null — никакое',
    example: 3,
  }),
})

/** Part of the catalogue: what one customer pays. */
export const priceRows = table({
  listUserPrices: {
    method: 'GET',
    path: '/prices',
    summary: {
      en: 'What everything on sale costs a customer now, with the rule that made each price',
      ru: 'Сколько всё, что продаётся, стоит клиенту сейчас и какое правило дало каждую цену',
    },
    auth: 'operator',
    limit: 'none',
    request: { query: Closed({ user_id: field(Id, { example: 1 }), ...firstOnes }) },
    response: { 200: Type.Array(PriceRow) },
    errors: ['NOT_FOUND'],
  },
})
