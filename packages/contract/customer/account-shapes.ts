import Type from 'typebox'
import { pricingRuleTypes } from '../product-types.ts'
import { CreatedAt, exampleTime, field, Id, Nullable, resource, UnixSeconds } from '../shapes.ts'

/** The account and what belongs to it. */

export const emailExample = 'anna@example.com'
export const codeExample = 'K7QM-2XPA-9D4T-HW3C'

const roubles = { en: 'In roubles', ru: 'В рублях' }
/** What the customer can spend. */
export const Balance = field(Type.Integer(), { ...roubles, example: 10_000 })
export const ReferralBalance = field(Type.Integer(), { ...roubles, example: 1250 })
export const OwnReferralCode = field(Type.String(), { example: 'ANNA2026' })
export const SessionToken = field(Type.String(), { example: 'eyJhbGciOiJFZERTQSJ9…' })
export const NewApiKey = field(Type.String(), {
  en: 'slp_<8>_<24>; shown only here',
  ru: 'slp_<8>_<24>; показывается только здесь',
  example: 'slp_a1B2c3D4_XXXXXXXXXXXXXXXXXXXXXXXX',
})
const subscriptionKey = {
  en: 'Key of the /sub/… link',
  ru: 'Ключ ссылки /sub/…',
  example: 'k3Vb9QwErTy1UiOp5AsDf7GhJk2LzXc8',
}
export const SubscriptionKey = field(Type.String(), subscriptionKey)
/** One that is handed in, of whichever subscription; whatever stands there is looked up. */
export const GivenSubscriptionKey = field(Type.String({ minLength: 1, maxLength: 128 }), subscriptionKey)
export const LastUsedAt = field(Nullable(UnixSeconds), {
  en: 'When it was last used, Unix time in seconds',
  ru: 'Когда использован последний раз, время Unix в секундах',
  example: exampleTime + 3600,
})
export const MessageText = field(Type.String(), {
  en: 'Text of the message',
  ru: 'Текст сообщения',
  spoken: { en: 'Maintenance is over', ru: 'Технические работы завершены' },
})
export const Percent = field(Type.Number(), {
  en: 'Negative is a discount, positive a surcharge',
  ru: 'Меньше нуля — скидка, больше — наценка',
  example: -10,
})
export const RuleComment = field(Nullable(Type.String()), {
  spoken: { en: 'A regular customer', ru: 'Постоянный клиент' },
})

export const PricingRule = resource('PricingRule', {
  type: Type.Enum([...pricingRuleTypes]),
  product_title: field(Type.String(), { spoken: { en: 'All configurations', ru: 'Все конфигурации' } }),
  percent: Percent,
  comment: RuleComment,
})

export const Profile = resource('Profile', {
  id: field(Id, { example: 1 }),
  email: field(Nullable(Type.String()), { example: emailExample }),
  uuid: field(Nullable(Type.String()), { example: '0b7c1f52-6c1e-4f0e-9d3b-2a4f8f5f6c11' }),
  subscription_key: field(Nullable(Type.String()), subscriptionKey),
  sign_in_method: field(Type.String(), { example: 'authCode' }),
  referral_balance: ReferralBalance,
  balance: Balance,
  referrals_count: Type.Integer(),
  is_messenger_connected: Type.Boolean(),
  referral_code: OwnReferralCode,
  onboarding_completed: Type.Boolean(),
  pricing_rules: field(Type.Optional(Type.Array(PricingRule)), {
    en: 'Present only when the customer has personal discounts or surcharges',
    ru: 'Есть, только если у клиента личные скидки или наценки',
  }),
})

export const Notification = resource('Notification', { id: Id, content: MessageText })

const Hour = Type.Integer({ minimum: 0, maximum: 23 })
const settings = {
  renewal_reminders: field(Type.Boolean(), {
    en: 'Whether reminders to renew come',
    ru: 'Приходят ли напоминания о продлении',
  }),
  notification_start_hour: field(Hour, {
    en: "From this hour of the customer's day",
    ru: 'С какого часа по времени клиента',
    example: 9,
  }),
  notification_end_hour: field(Hour, {
    en: "To this hour of the customer's day; may pass midnight",
    ru: 'До какого часа по времени клиента; можно за полночь',
    example: 21,
  }),
  timezone_offset: field(Type.Integer({ minimum: -720, maximum: 840 }), {
    en: 'Minutes from UTC',
    ru: 'Минуты от UTC',
    example: 180,
  }),
}

export const NotificationSettings = resource('NotificationSettings', settings)
export const notificationSettingsFields = {
  renewal_reminders: Type.Optional(settings.renewal_reminders),
  notification_start_hour: Type.Optional(settings.notification_start_hour),
  notification_end_hour: Type.Optional(settings.notification_end_hour),
  timezone_offset: Type.Optional(settings.timezone_offset),
}

export const KeyPrefix = field(Type.String(), {
  en: 'The public part of the key',
  ru: 'Открытая часть ключа',
  example: 'a1B2c3D4',
})

export const ApiKey = resource('ApiKey', {
  id: Id,
  title: field(Nullable(Type.String()), { example: 'Laptop' }),
  prefix: KeyPrefix,
  created_at: CreatedAt,
  last_used_at: LastUsedAt,
})
