import Type from 'typebox'
import { emailExample, Percent, RuleComment } from '../customer/account-shapes.ts'
import { Days } from '../customer/shapes.ts'
import type { Role } from '../operation.ts'
import { productClasses } from '../product-types.ts'
import {
  Closed,
  CreatedAt,
  exampleTime,
  field,
  howMany,
  Id,
  maxId,
  Nullable,
  resource,
  Text,
  UnixSeconds,
} from '../shapes.ts'
import { Prose } from '../visible-text.ts'

/** What the operator's tables have in common. Lists go back in time from `before`. */

/** Those who answer for money. */
export const money: readonly Role[] = ['owner', 'finance']
/** Those who look after machines, and those who may see how machines are. */
export const fleetWriters: readonly Role[] = ['owner', 'technician']
export const fleetReaders: readonly Role[] = ['owner', 'support', 'finance', 'technician']
export const ById = Closed({ id: field(Id, { example: 1 }) })
/** The id is a customer's. */
export const ByUser = Closed({ id: field(Id, { example: 1 }) })
const PageSize = Type.Optional(Type.Integer({ minimum: 1, maximum: 500 }))
export const page = {
  limit: field(PageSize, {
    en: 'How many to return; 50 when left out',
    ru: 'Сколько записей вернуть; если не указано — 50',
  }),
  before: field(Type.Optional(Id), {
    en: 'Only what is before this id: the way to older pages',
    ru: 'Только записи до этого id: так листают к более старым',
  }),
}
/** Of short lists: all of it in its own order, unless a page is asked for. */
export const wholeOrPage = {
  limit: field(PageSize, {
    en: 'How many to return, newest first; without limit and before all of them come, in their own order',
    ru: 'Сколько записей вернуть, сначала новые; без limit и before — все, в обычном порядке',
  }),
  before: page.before,
}
/** Of short lists of things that have names and no ids. */
export const firstOnes = { limit: field(PageSize, howMany) }
/** How often a row was changed. Whoever sends back the one they have seen overwrites nobody's change. */
export const Version = field(Type.Integer({ minimum: 0 }), {
  en: 'How often the row was changed; send it back with a change, and nobody else’s is lost',
  ru: 'Сколько раз строку меняли; передайте его вместе с изменением, и чужое изменение не потеряется',
  example: 1,
})
export const DeliveryVersion = field(Version, {
  en: 'How often anything about delivery was changed: settings, apps, templates',
  ru: 'Сколько раз меняли что-либо в доставке: настройки, приложения, шаблоны',
})
export const SeenVersion = field(Type.Optional(Type.Integer({ minimum: 0, maximum: maxId })), {
  en: 'The version that you have seen: when it is another by now, nothing changes and 409 shows the row as it is',
  ru: 'Версия, которую вы видели: если она уже другая, ничего не меняется, а в ответе 409 — строка как есть',
})
export const Reason = field(Prose(1, 500), { example: 'asked within a day' })
export const UserId = field(Id, { example: 1 })
export const UserEmail = field(Nullable(Type.String()), { example: emailExample })
export const Method = field(Type.String(), {
  en: 'Key of a payment method, promocode or gift',
  ru: 'Ключ способа оплаты, promocode или gift',
  example: 'sbp',
})
export const Roubles = field(Type.Integer(), {
  en: 'What it is worth in roubles',
  ru: 'Сколько это в рублях',
  example: 200,
})
export const ProviderName = field(Nullable(Type.String()), { example: 'yookassa' })
export const Amount = field(Type.Number(), { example: 200 })
export const AmountCurrency = field(Type.String(), { example: 'RUB' })
export const NamedProvider = field(Type.Optional(Text(1, 32)), {
  en: 'Name of a configured provider',
  ru: 'Имя настроенного провайдера',
})
export const Search = (longest: number) =>
  field(Type.Optional(Text(1, longest)), {
    en: 'A whole id, e-mail or code',
    ru: 'Номер, почта или код целиком',
  })
export const Moment = Nullable(UnixSeconds)
/** What has not happened yet in the examples. */
export const NotYet = field(Moment, { example: null })
export const orderStates = ['created', 'paid', 'fulfilled', 'cancelled', 'expired', 'refunded'] as const
export const ProductClassValue = Type.Enum([...productClasses])
export const Anything = Type.Record(Type.String(), Type.Any())

export const paymentFields = {
  id: field(Id, { example: 1 }),
  user_id: UserId,
  email: UserEmail,
  product: field(Type.String(), { example: 'configs' }),
  item_id: field(Nullable(Id), {
    en: 'What was bought or renewed',
    ru: 'Что куплено или продлено',
    example: 1,
  }),
  state: field(Type.Enum([...orderStates]), { example: 'fulfilled' }),
  is_renewal: field(Type.Boolean(), { example: false }),
  as_key: field(Type.Boolean(), { example: false }),
  days: Days,
  is_gift: field(Type.Boolean(), {
    en: 'Given by an operator without payment',
    ru: 'Подарено оператором, без оплаты',
    example: false,
  }),
  method: Method,
  provider: ProviderName,
  payment_id: field(Nullable(Type.String()), {
    en: "Name of the payment here, and in the provider's metadata",
    ru: 'Номер платежа здесь; он же в метаданных у провайдера',
    example: '7hQ2mX9cKd3VbN5tRw8yZa',
  }),
  provider_payment_id: field(Nullable(Type.String()), {
    en: "The provider's name of the payment",
    ru: 'Номер платежа у провайдера',
    example: '2e8f0c1a-000f-5000-8000-1b2c3d4e5f60',
  }),
  amount: Amount,
  currency: AmountCurrency,
  value_rub: field(Nullable(Type.Integer()), {
    en: 'What it is worth in roubles',
    ru: 'Сколько это в рублях',
    example: 200,
  }),
  created_at: CreatedAt,
  paid_at: field(Moment, { example: exampleTime + 60 }),
  fulfilled_at: field(Moment, { example: exampleTime + 61 }),
  refunded_at: NotYet,
  refunded_to: field(Nullable(Type.String()), { example: null }),
}

export const Refund = resource('Refund', {
  id: Id,
  destination: field(Type.String(), { example: 'source' }),
  amount: Amount,
  currency: AmountCurrency,
  reason: field(Type.String(), { example: 'asked within a day' }),
  state: Type.Enum(['requested', 'done', 'failed']),
  failure: field(Nullable(Type.String()), {
    en: 'Why it did not work',
    ru: 'Почему не получилось',
    example: null,
  }),
  created_at: CreatedAt,
  done_at: NotYet,
})

export const PricingRuleRow = Closed({
  id: field(Id, { example: 3 }),
  type: field(Type.String(), { example: 'configs' }),
  product_id: field(Nullable(Id), { example: null }),
  percent: Percent,
  comment: RuleComment,
})

/** Of what is in the catalogue and of no use there yet. */
export const SaleProblem = field(Nullable(Type.String()), {
  en: 'What keeps it from being sold, though it may be switched on; null when nothing does',
  ru: 'Что мешает продавать, даже если включено; null — ничего',
  example: null,
})

export const WithdrawalStatus = Type.Enum(['pending', 'paid', 'rejected'])
export const HostName = Type.String({ pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$', maxLength: 253 })

/** For changes: what is left out stays. */
export const optionally = <P extends Record<string, Type.TSchema>>(properties: P) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof P]: Type.TOptional<P[K]>
  }
