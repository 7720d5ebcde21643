import Type from 'typebox'
import { Closed, field, Id, Promocode, stated } from '../shapes.ts'
import { PaymentMethodId } from './shapes.ts'

/** How a purchase or a renewal is paid, whatever the product. */

/** Either a promocode, or a payment method with what it needs: never both, never neither. */
export const promocodeOr = (needed: readonly string[]) => ({
  oneOf: [
    {
      title: 'With a promocode',
      required: ['promocode'],
      not: { anyOf: [{ required: ['payment_method_id'] }, { required: ['tariff_id'] }] },
    },
    { title: 'With a payment method', required: needed, not: { required: ['promocode'] } },
  ],
})

export const payment = {
  payment_method_id: field(Type.Optional(PaymentMethodId), {
    en: 'From the list of payment methods; to buy, together with tariff_id, unless a promocode is given',
    ru: 'Из списка способов оплаты; при покупке — вместе с tariff_id, если нет промокода',
  }),
  tariff_id: field(Type.Optional(Id), {
    en: 'From the tariffs of that payment method',
    ru: 'Из списка тарифов этого способа оплаты',
  }),
  promocode: field(Type.Optional(Promocode), {
    en: 'Instead of payment_method_id and tariff_id',
    ru: 'Вместо payment_method_id и tariff_id',
  }),
}
export const EnableAutoRenewal = field(Type.Optional(Type.Boolean()), {
  en: 'Switch auto-renewal on at once',
  ru: 'Сразу включить автопродление',
})

export const AutoRenewalBody = Closed(
  {
    enabled: Type.Boolean(),
    days: field(Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })), {
      en: 'For how many days: the length of one of the tariffs; needed to switch auto-renewal on',
      ru: 'На сколько дней: длина одного из тарифов; при включении автопродления обязательно',
    }),
  },
  stated({ anyOf: [{ required: ['days'] }, { properties: { enabled: { const: false } } }] }),
)
