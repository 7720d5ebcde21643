import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, CreatedAt, exampleTime, field, Id, stated, Text } from '../shapes.ts'
import { Notification, NotificationSettings, notificationSettingsFields, Profile } from './account-shapes.ts'
import {
  BalancePaymentOption,
  Bank,
  bankExample,
  PaymentRecord,
  PurchasedPromocode,
  pageFields,
  ReferralRecord,
  ReferralTerms,
} from './money-shapes.ts'
import { Payment } from './payment-shapes.ts'
import { PaymentLink, PaymentMethodId } from './shapes.ts'

/** Checked by hand, because an amount outside the range has an error of its own. */
const TopupAmount = field(Type.Number(stated({ type: 'integer', minimum: 1, maximum: 15_000 })), {
  en: 'Whole roubles, 1-15000',
  ru: 'Целые рубли, 1–15000',
  example: 500,
})
/** Spaces and hyphens between the digits are how cards write them. */
const CardNumber = field(
  Type.String({
    minLength: 12,
    maxLength: 32,
    ...stated({ minLength: 13, pattern: '^[\\s-]*(?:[0-9][\\s-]*){13,19}$' }),
  }),
  {
    en: '13 to 19 digits, in groups if you like; checked with the Luhn algorithm',
    ru: '13–19 цифр, можно группами; проверяется по алгоритму Луна',
    example: '2200 0000 0000 0004',
  },
)
const WithdrawalAmount = field(Type.Integer({ minimum: 1000, maximum: 75_000 }), { example: 5000 })
const Withdrawal = Closed({ id: Id, created_at: CreatedAt })

export const profile = table({
  getProfile: {
    method: 'GET',
    path: '/profile',
    summary: {
      en: 'The account: balances, referral code, subscription key, personal prices',
      ru: 'Аккаунт: балансы, реферальный код, ключ подписки, личные цены',
    },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Profile },
    errors: [],
  },
  showNotificationSettings: {
    method: 'GET',
    path: '/profile/notification-settings',
    summary: { en: 'When reminders may come', ru: 'Когда могут приходить напоминания' },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: NotificationSettings },
    errors: [],
  },
  changeNotificationSettings: {
    method: 'PATCH',
    path: '/profile/notification-settings',
    summary: {
      en: 'Choose whether and at what hours reminders come; what is left out stays',
      ru: 'Выбрать, приходят ли напоминания и в какие часы; неназванное остаётся как было',
    },
    auth: 'customer',
    limit: per(5, 60),
    request: { body: Closed(notificationSettingsFields) },
    example: {
      body: { notification_start_hour: 9, notification_end_hour: 23, timezone_offset: 180 },
      data: {
        renewal_reminders: true,
        notification_start_hour: 9,
        notification_end_hour: 23,
        timezone_offset: 180,
      },
    },
    response: { 200: NotificationSettings },
    errors: [],
  },
  takeNotifications: {
    method: 'GET',
    path: '/profile/notifications',
    summary: {
      en: 'Waiting notifications; what is returned is removed',
      ru: 'Ожидающие уведомления; то, что вернулось, удаляется',
    },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(Notification) },
    errors: [],
  },
  listReferralRecords: {
    method: 'GET',
    path: '/profile/referral',
    summary: {
      en: 'Referral earnings and withdrawals, newest first',
      ru: 'Реферальный заработок и выводы, сначала новые',
    },
    auth: 'customer',
    limit: 'global',
    request: { query: Closed(pageFields) },
    example: {
      data: [
        {
          amount: 40,
          status: 'held',
          created_at: exampleTime,
          available_at: exampleTime + 14 * 86_400,
          email: 'a•••@example.com',
        },
      ],
    },
    response: { 200: Type.Array(ReferralRecord) },
    errors: [],
  },
  showReferralTerms: {
    method: 'GET',
    path: '/profile/referral/terms',
    summary: {
      en: 'What friends bring: the share of their payments, for how long it is held, and how much is held now',
      ru: 'Что приносят друзья: доля от их оплат, на сколько дней она удерживается и сколько удержано сейчас',
    },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: ReferralTerms },
    errors: [],
  },
  listSbpBanks: {
    method: 'GET',
    path: '/profile/referral/withdraw/sbp-bank-list',
    summary: {
      en: 'Banks that take withdrawals by phone number',
      ru: 'Банки, в которые можно вывести по номеру телефона',
    },
    auth: 'customer',
    limit: per(5, 5),
    request: {},
    response: { 200: Type.Array(Bank) },
    errors: [],
  },
  withdrawBySbp: {
    method: 'POST',
    path: '/profile/referral/withdraw/sbp',
    summary: {
      en: 'Withdraw referral earnings to a phone number; the amount is held at once',
      ru: 'Вывести реферальный заработок по номеру телефона; сумма замораживается сразу',
    },
    auth: 'customer',
    limit: per(1, 3),
    request: {
      body: Closed({
        bank_id: field(Text(1, 32), {
          en: 'From the list of banks',
          ru: 'Из списка банков',
          example: bankExample,
        }),
        amount: WithdrawalAmount,
        phone_number: field(Type.String({ pattern: '^\\+7[0-9]{10}$' }), {
          en: '+7 and 10 digits',
          ru: '+7 и 10 цифр',
          example: '+79001234567',
        }),
      }),
    },
    response: { 201: Withdrawal },
    errors: ['INSUFFICIENT_REFERRAL_BALANCE', 'CONFLICT'],
    idempotent: true,
  },
  withdrawToCard: {
    method: 'POST',
    path: '/profile/referral/withdraw/card',
    summary: {
      en: 'Withdraw referral earnings to a bank card; the amount is held at once',
      ru: 'Вывести реферальный заработок на карту; сумма замораживается сразу',
    },
    auth: 'customer',
    limit: per(1, 3),
    request: { body: Closed({ amount: WithdrawalAmount, card_number: CardNumber }) },
    response: { 201: Withdrawal },
    errors: ['INSUFFICIENT_REFERRAL_BALANCE', 'CONFLICT'],
    idempotent: true,
  },
  calculateTopup: {
    method: 'GET',
    path: '/profile/balance/calculate',
    summary: {
      en: 'What a top-up costs in each payment method',
      ru: 'Сколько стоит пополнение каждым способом оплаты',
    },
    auth: 'customer',
    limit: per(5, 1),
    request: { query: Closed({ amount: TopupAmount }) },
    response: { 200: Type.Array(BalancePaymentOption) },
    errors: ['INVALID_TOPUP_AMOUNT'],
  },
  topUpBalance: {
    method: 'POST',
    path: '/profile/balance/topup',
    summary: {
      en: 'A link to pay for a top-up; the balance grows when the provider confirms',
      ru: 'Ссылка на оплату пополнения; баланс вырастет, когда оплату подтвердят',
    },
    auth: 'customer',
    limit: per(1, 1),
    example: { body: { amount: 500, payment_method_id: 2 } },
    request: { body: Closed({ amount: TopupAmount, payment_method_id: PaymentMethodId }) },
    obtainsLink: true,
    response: { 200: PaymentLink },
    errors: ['INVALID_TOPUP_AMOUNT', 'PAYMENT_METHOD_UNAVAILABLE', 'CONFLICT'],
    idempotent: true,
  },
  listPayments: {
    method: 'GET',
    path: '/profile/payments-history',
    summary: {
      en: 'Purchases, renewals and top-ups, newest first',
      ru: 'Покупки, продления и пополнения, сначала новые',
    },
    auth: 'customer',
    limit: 'global',
    request: { query: Closed(pageFields) },
    response: { 200: Type.Array(PaymentRecord) },
    errors: [],
  },
  getPayment: {
    method: 'GET',
    path: '/profile/payments/:id',
    summary: {
      en: 'One payment of the history: how it stands, what it is for, what it gave',
      ru: 'Один платёж из истории: что с ним, за что он и что дал',
    },
    auth: 'customer',
    limit: 'global',
    request: { params: Closed({ id: Id }) },
    response: { 200: Payment },
    errors: ['NOT_FOUND'],
  },
  listPromocodes: {
    method: 'GET',
    path: '/profile/promocodes',
    summary: {
      en: 'Activation keys this customer bought, newest first',
      ru: 'Купленные этим клиентом ключи активации, сначала новые',
    },
    auth: 'customer',
    limit: per(30, 60),
    request: { query: Closed(pageFields) },
    response: { 200: Type.Array(PurchasedPromocode) },
    errors: [],
  },
})
