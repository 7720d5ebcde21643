import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, field, Id } from '../../shapes.ts'
import { Title } from '../../visible-text.ts'
import { AmountCurrency, ById, money, NamedProvider, ProviderName, SeenVersion, Version } from '../shapes.ts'

const smallestAmount = {
  en: 'The smallest amount the method takes',
  ru: 'Наименьшая сумма для этого способа',
}

const PaymentMethodRow = Closed({
  id: field(Id, { example: 2 }),
  key: field(Type.String(), { example: 'sbp' }),
  name_ru: field(Type.String(), { example: 'СБП' }),
  name_en: field(Type.String(), { example: 'SBP' }),
  currency: AmountCurrency,
  provider: ProviderName,
  min_amount: field(Type.Number(), { ...smallestAmount, example: 10 }),
  is_active: Type.Boolean(),
  is_available: field(Type.Boolean(), {
    en: 'Switched on, its provider configured, its rate fresh',
    ru: 'Включён, провайдер настроен, курс свежий',
  }),
  version: Version,
})

/** Part of the catalogue: how customers may pay. */
export const paymentMethodRows = table({
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
        name_ru: Type.Optional(Title),
        name_en: Type.Optional(Title),
        provider: NamedProvider,
        is_active: Type.Optional(Type.Boolean()),
        min_amount: field(Type.Optional(Type.Number({ minimum: 0.01, maximum: 1_000_000 })), smallestAmount),
        version: SeenVersion,
      }),
    },
    example: { params: { id: 2 }, body: { provider: 'yookassa', is_active: true } },
    response: { 200: PaymentMethodRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'payment_method' },
  },
})
