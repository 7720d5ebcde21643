import Type from 'typebox'
import {
  emailExample,
  MessageText,
  NewApiKey,
  OwnReferralCode,
  SessionToken,
  SubscriptionKey,
} from '../../customer/account-shapes.ts'
import { ReferralCode } from '../../customer/auth-shapes.ts'
import { table } from '../../operation.ts'
import { pricingRuleTypes } from '../../product-types.ts'
import { Closed, ExpiresAt, exampleTime, field, Id, Nullable } from '../../shapes.ts'
import { Prose } from '../../visible-text.ts'
import { ByUser, PricingRuleRow, UserEmail, UserId } from '../shapes.ts'

export const EmailAddress = Type.String({
  pattern: '^[^\\s@]{1,64}@[^\\s@.]+(\\.[^\\s@.]+)+$',
  maxLength: 254,
})
const Opening = field(Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })), {
  en: 'In roubles',
  ru: 'В рублях',
})

/** Part of the operator's work with people: making customers, and what is given to one of them. */
export const userRows = table({
  createUser: {
    method: 'POST',
    path: '/users',
    summary: {
      en: 'Create a customer with an API key and a session',
      ru: 'Создать клиента с API-ключом и сессией',
    },
    auth: 'operator',
    limit: 'none',
    request: {
      body: Closed({
        email: Type.Optional(Nullable(EmailAddress)),
        balance: Opening,
        referral_balance: Opening,
        referral_code: ReferralCode,
      }),
    },
    example: { body: { email: emailExample, balance: 500 } },
    response: {
      201: Closed({
        id: UserId,
        email: UserEmail,
        api_key: NewApiKey,
        session_token: SessionToken,
        subscription_key: SubscriptionKey,
        referral_code: OwnReferralCode,
      }),
    },
    // A proof is asked for with a balance alone.
    errors: ['CONFLICT', 'REAUTHENTICATION_REQUIRED'],
    idempotent: true,
    audit: { subject: 'user' },
  },
  createSession: {
    method: 'POST',
    path: '/users/:id/sessions',
    summary: { en: 'Mint a session token for a customer', ru: 'Выдать клиенту токен сессии' },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: { params: ByUser },
    response: {
      201: Closed({
        session_token: SessionToken,
        expires_at: field(ExpiresAt, { example: exampleTime + 900 }),
      }),
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'user' },
  },
  createPricingRule: {
    method: 'POST',
    path: '/users/:id/pricing-rules',
    summary: {
      en: 'Give a customer a personal discount or surcharge',
      ru: 'Дать клиенту личную скидку или наценку',
    },
    auth: 'operator',
    roles: ['owner', 'finance'],
    limit: 'none',
    request: {
      params: ByUser,
      body: Closed({
        type: field(Type.Enum([...pricingRuleTypes]), { example: 'configs' }),
        product_id: field(Type.Optional(Nullable(Id)), {
          en: 'One product instead of all of that type',
          ru: 'Один продукт вместо всех этого типа',
        }),
        percent: field(Type.Number({ minimum: -100, maximum: 1000 }), {
          en: 'Negative is a discount, positive a surcharge',
          ru: 'Меньше нуля — скидка, больше — наценка',
          example: -10,
        }),
        comment: Type.Optional(Nullable(Prose(1, 500))),
      }),
    },
    response: {
      201: PricingRuleRow,
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'user' },
  },
  createNotification: {
    method: 'POST',
    path: '/users/:id/notifications',
    summary: { en: 'Leave a message for a customer', ru: 'Оставить клиенту сообщение' },
    auth: 'operator',
    limit: 'none',
    request: {
      params: ByUser,
      body: Closed({
        content: field(Prose(1, 4000), {
          en: 'Text of the message',
          ru: 'Текст сообщения',
          spoken: { en: 'Maintenance is over', ru: 'Технические работы завершены' },
        }),
      }),
    },
    response: { 201: Closed({ id: Id, content: MessageText }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    audit: { subject: 'user' },
  },
})
