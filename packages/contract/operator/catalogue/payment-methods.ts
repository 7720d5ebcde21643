import Type from 'typebox'
import { currencies } from '../../customer/money-shapes.ts'
import { table } from '../../operation.ts'
import { Closed, field, Id } from '../../shapes.ts'
import { Title } from '../../visible-text.ts'
import {
  AmountCurrency,
  ById,
  money,
  NamedProvider,
  ProviderName,
  SaleProblem,
  SeenVersion,
  Version,
  wholeOrPage,
} from '../shapes.ts'

const smallestAmount = {
  en: 'The smallest amount the method takes',
  ru: 'Наименьшая сумма для этого способа',
}

export const PaymentMethodRow = Closed({
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
  problem: SaleProblem,
  version: Version,
})

const Minimum = Type.Number({ minimum: 0.01, maximum: 1_000_000 })

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
    request: { query: Closed(wholeOrPage) },
    response: { 200: Type.Array(PaymentMethodRow) },
    errors: [],
  },
  createPaymentMethod: {
    method: 'POST',
    path: '/payment-methods',
    summary: {
      en: 'Add a payment method; without a provider it waits to be given one',
      ru: 'Добавить способ оплаты; без провайдера он ждёт, пока его назначат',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      body: Closed({
        key: field(Type.String({ pattern: '^[a-z][a-z0-9_]{1,31}$' }), {
          en: 'What providers and programs know it by; it cannot be changed',
          ru: 'Под этим именем его знают провайдеры и программы; изменить нельзя',
          example: 'sbp',
        }),
        name_ru: field(Title, { example: 'СБП' }),
        name_en: field(Title, { example: 'SBP' }),
        currency: field(Type.Enum([...currencies]), { example: 'RUB' }),
        min_amount: field(Minimum, { ...smallestAmount, example: 10 }),
        provider: NamedProvider,
        is_active: Type.Optional(Type.Boolean()),
      }),
    },
    example: {
      body: { key: 'invoice', name_ru: 'По счёту', name_en: 'By invoice', currency: 'RUB', min_amount: 100 },
    },
    response: { 201: PaymentMethodRow },
    errors: ['CONFLICT'],
    idempotent: true,
    audit: { subject: 'payment_method' },
  },
  changePaymentMethod: {
    method: 'PATCH',
    path: '/payment-methods/:id',
    summary: {
      en: 'Name a payment method, switch it on or off, or give it to another provider',
      ru: 'Назвать способ оплаты, включить или выключить его, передать другому провайдеру',
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
        min_amount: field(Type.Optional(Minimum), smallestAmount),
        version: SeenVersion,
      }),
    },
    example: { params: { id: 2 }, body: { provider: 'yookassa', is_active: true } },
    response: { 200: PaymentMethodRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'payment_method' },
  },
})
