import Type, { type Static } from 'typebox'
import { productClasses } from '../product-types.ts'
import { Closed, ExpiresAt, exampleTime, field, Id, Nullable, resource, UnixSeconds } from '../shapes.ts'
import { codeExample } from './account-shapes.ts'
import { PaymentRecord } from './money-shapes.ts'
import { Currency, PaymentLink } from './shapes.ts'

/** One payment, as a page to come back to and a receipt show it. */

export const paymentStates = [
  'waiting',
  'processing',
  'paid',
  'credited',
  'expired',
  'cancelled',
  'refunded',
] as const
export type PaymentState = (typeof paymentStates)[number]

const money = {
  amount: field(Type.Number(), {
    en: 'In the currency beside it',
    ru: 'В валюте, что указана рядом',
    example: 200,
  }),
  currency: Currency,
}

const when = (en: string, ru: string) => field(Nullable(UnixSeconds), { en, ru, example: exampleTime })

export const Payment = resource('Payment', {
  ...PaymentRecord.properties,
  state: field(Type.Enum([...paymentStates]), {
    en: 'waiting: the link can be paid; processing: the money is here and the purchase is on its way; paid: it is done; credited: the money is on the balance instead; expired, cancelled: nothing was paid; refunded: the money went back',
    ru: 'waiting: ссылку можно оплатить; processing: деньги пришли, покупка выдаётся; paid: готово; credited: деньги зачислены на баланс; expired, cancelled: оплаты не было; refunded: деньги возвращены',
    example: 'paid',
  }),
  currency: Currency,
  title: field(Nullable(Type.String()), {
    en: 'What was bought, in the language of the request; null of what this release does not sell',
    ru: 'Что куплено, на языке запроса; null — этого больше нет в продаже',
    example: 'VPN connection for 30 days',
  }),
  product_type: Nullable(Type.Enum([...productClasses, 'balance'])),
  product_title: field(Nullable(Type.String()), {
    en: 'Which option or cloud configuration, in the language of the request',
    ru: 'Какая опция или облачная конфигурация, на языке запроса',
    example: null,
  }),
  is_renewal: field(Type.Boolean(), { example: false }),
  price: field(
    Nullable(
      Closed({
        list: field(Type.Number(), { en: 'Before the discount', ru: 'До скидки', example: 250 }),
        percent: field(Type.Number(), {
          en: 'Of a personal price: below 0 is a discount, 0 is none',
          ru: 'Личная цена: меньше 0 — скидка, 0 — нет',
          example: -20,
        }),
        comment: field(Nullable(Type.String()), {
          en: 'Why it is so, while the personal price lasts',
          ru: 'Почему, пока личная цена действует',
          example: 'Regular customer',
        }),
      }),
    ),
    {
      en: 'How the amount came about; null of what a code paid for, or support gave',
      ru: 'Из чего сложилась сумма; null — оплачено кодом или подарено поддержкой',
    },
  ),
  promocode: field(
    Nullable(
      Closed({
        code: Type.String(),
        is_active: field(Type.Boolean(), { en: 'False once used', ru: 'false — уже использован' }),
      }),
    ),
    {
      en: 'The activation key that was bought',
      ru: 'Купленный ключ активации',
      example: { code: codeExample, is_active: true },
    },
  ),
  item: field(Nullable(Closed({ type: Type.Enum([...productClasses]), id: Id })), {
    en: 'What it gave or prolongs, while the customer has it: id of the configuration or cloud server, option_id of the option',
    ru: 'Что получено или продлевается, пока оно у клиента: id конфигурации или облачного сервера, option_id опции',
    example: { type: 'configs', id: 1 },
  }),
  link: field(Nullable(PaymentLink.properties.link), {
    en: 'Where to pay, while it waits; null too in the moment before the provider has given it',
    ru: 'Где оплатить, пока ждём; null и в ту минуту, пока провайдер её не выдал',
    example: null,
  }),
  link_expires_at: field(Nullable(ExpiresAt), {
    en: 'Until when the link could be paid',
    ru: 'До какого времени можно было оплатить по ссылке',
  }),
  paid_at: when('When the money came', 'Когда пришли деньги'),
  credited: field(Type.Integer({ minimum: 0 }), {
    en: 'Roubles that came for it and are on the balance: it could not be given, was paid twice or in excess',
    ru: 'Рубли, зачисленные с неё на баланс: купленное не удалось выдать, оплачено дважды или с лишним',
    example: 0,
  }),
  held: field(Nullable(Closed(money)), {
    en: 'Came with another amount or currency than asked for, and waits for support',
    ru: 'Пришло не в той сумме или валюте и ждёт решения поддержки',
    example: null,
  }),
  refunded: field(
    Nullable(
      Closed({
        ...money,
        to: field(Type.Enum(['source', 'balance']), {
          en: 'Whence it came, or the balance',
          ru: 'Туда, откуда пришли, или на баланс',
        }),
        at: UnixSeconds,
      }),
    ),
    { en: 'What went back to the customer', ru: 'Что вернулось клиенту', example: null },
  ),
  receipt: field(
    Nullable(
      Closed({
        provider: field(Type.String(), { example: 'yookassa' }),
        number: field(Type.String(), {
          en: 'What the provider calls the payment; support finds it by that',
          ru: 'Как платёж называется у провайдера: по этому номеру его найдёт поддержка',
          example: '2d1f5a3e-000f-5000-9000-1b2c3d4e5f60',
        }),
      }),
    ),
    { en: 'The money as the provider has it', ru: 'Деньги, какими их видит провайдер' },
  ),
})
export type Payment = Static<typeof Payment>
