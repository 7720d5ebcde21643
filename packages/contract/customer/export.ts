import Type, { type Static } from 'typebox'
import { per, table } from '../operation.ts'
import { productClasses } from '../product-types.ts'
import {
  Closed,
  CreatedAt,
  ExpiresAt,
  exampleTime,
  field,
  Id,
  Nullable,
  resource,
  UnixSeconds,
} from '../shapes.ts'
import {
  ApiKey,
  emailExample,
  MessageText,
  NotificationSettings,
  OwnReferralCode,
  Percent,
  RuleComment,
} from './account-shapes.ts'
import { Passkey } from './auth-shapes.ts'
import { OneTimeLink } from './delivery/one-time-links.ts'
import { Session } from './sessions.ts'

/** Everything that is kept about a customer, for the customer. */

/** The most of each list that one answer has. */
export const mostExported = 1000

const Word = Type.String()
const Title = field(Nullable(Word), { example: 'Laptop' })
const Traffic = Closed({
  up: field(Type.Integer(), { en: 'Bytes', ru: 'Байты', example: 1_048_576 }),
  down: field(Type.Integer(), { en: 'Bytes', ru: 'Байты', example: 73_400_320 }),
})
const Roubles = field(Type.Integer(), { en: 'In roubles', ru: 'В рублях', example: 40 })
const moment = (en: string, ru: string) => field(Nullable(UnixSeconds), { en, ru, example: exampleTime })

const Account = Closed({
  id: field(Id, { example: 1 }),
  email: field(Nullable(Word), { example: emailExample }),
  created_at: CreatedAt,
  sign_in_method: field(Word, { example: 'authCode' }),
  balance: Roubles,
  referral_balance: Roubles,
  referral_code: OwnReferralCode,
  referrals_count: Type.Integer(),
  was_invited: field(Type.Boolean(), {
    en: 'Whether another customer invited this one',
    ru: 'Пригласил ли этого клиента другой клиент',
    example: false,
  }),
  is_messenger_connected: Type.Boolean(),
  onboarding_completed: Type.Boolean(),
  operator_note: field(Nullable(Word), {
    en: 'What those who run the service have noted about the customer',
    ru: 'Что о клиенте отметили те, кто ведёт сервис',
    example: null,
  }),
})

const Identity = Closed({
  id: Id,
  provider: field(Word, { example: 'telegram' }),
  subject: field(Word, {
    en: 'What the provider calls the customer',
    ru: 'Как провайдер обозначает клиента',
    example: '5000000001',
  }),
  created_at: CreatedAt,
})

const Access = Closed({
  id: Id,
  protocol: field(Word, { example: 'vless' }),
  title: Title,
  location: field(Word, { spoken: { en: 'Germany', ru: 'Германия' } }),
  created_at: CreatedAt,
  traffic: Traffic,
})

const Purchase = Closed({
  product_type: Type.Enum([...productClasses]),
  item_id: field(Type.Integer(), { example: 1 }),
  title: field(Word, { example: 'Laptop' }),
  is_active: Type.Boolean(),
  auto_renewal: Type.Boolean(),
  created_at: CreatedAt,
  expires_at: ExpiresAt,
  traffic: Traffic,
  configurations: field(Type.Array(Access), {
    en: 'With their proxies, at most 5000 in all; without keys and addresses, which the subscription delivers',
    ru: 'Вместе с прокси, всего не больше 5000; без ключей и адресов — их отдаёт подписка',
  }),
})

const Subscription = Closed({
  id: Id,
  kind: field(Word, {
    en: 'account, custom, or that of a paid option',
    ru: 'account, custom или подписка платной опции',
    example: 'account',
  }),
  title: Title,
  device_limit: field(Nullable(Type.Integer()), { example: 5 }),
  created_at: CreatedAt,
  items: field(Type.Array(Closed({ item_type: Word, item_reference_id: Type.Integer() })), {
    en: 'What a custom subscription is put together of',
    ru: 'Из чего собрана своя подписка',
  }),
  last_app: field(Nullable(Word), {
    en: 'The app that last fetched it',
    ru: 'Приложение, которое последним запросило подписку',
    example: 'Happ',
  }),
  last_fetched_at: moment('When it was last fetched', 'Когда запрошена последний раз'),
})

const Device = Closed({
  id: Id,
  subscription_id: Id,
  device_name: field(Nullable(Word), { example: 'Pixel 9' }),
  device_type: field(Nullable(Word), { example: 'android' }),
  device_model: field(Nullable(Word), { example: 'Pixel 9' }),
  os_version: field(Nullable(Word), { example: '16' }),
  is_blocked: Type.Boolean(),
  created_at: CreatedAt,
  last_seen_at: field(UnixSeconds, { example: exampleTime }),
})

const Payment = Closed({
  id: Id,
  product_type: field(Word, { example: 'configs' }),
  state: field(Word, { example: 'fulfilled' }),
  method: field(Word, { example: 'sbp' }),
  amount: field(Type.Number(), { example: 200 }),
  currency: field(Word, { example: 'RUB' }),
  days: Type.Integer(),
  as_key: Type.Boolean(),
  created_at: CreatedAt,
  paid_at: moment('When it was paid', 'Когда оплачено'),
  refunded_at: moment('When it was given back', 'Когда возвращено'),
})

const Earning = Closed({
  amount: Roubles,
  status: field(Word, { example: 'released' }),
  email: field(Nullable(Word), {
    en: 'Of whoever was invited, masked',
    ru: 'Почта приглашённого, скрыта',
    example: 'a•••@example.com',
  }),
  created_at: CreatedAt,
})

const Withdrawal = Closed({
  id: Id,
  amount: Roubles,
  status: field(Word, { example: 'paid' }),
  method: field(Word, { example: 'card' }),
  account: field(Word, { en: 'Masked', ru: 'Скрыт', example: '2200 **** **** 0004' }),
  created_at: CreatedAt,
})

const ActivationKey = Closed({
  id: Id,
  product_type: field(Word, { example: 'configs' }),
  days: Type.Integer(),
  created_at: CreatedAt,
  used_at: moment('When it was used', 'Когда использован'),
})

const Event = Closed({
  kind: field(Word, { example: 'signed_in' }),
  method: field(Nullable(Word), { example: 'authCode' }),
  created_at: CreatedAt,
})

const Rule = Closed({ type: Word, percent: Percent, comment: RuleComment })

const lists = {
  identities: Type.Array(Identity),
  passkeys: Type.Array(Passkey),
  api_keys: Type.Array(ApiKey),
  sessions: Type.Array(Session),
  pricing_rules: Type.Array(Rule),
  purchases: Type.Array(Purchase),
  subscriptions: Type.Array(Subscription),
  devices: Type.Array(Device),
  one_time_links: field(Type.Array(OneTimeLink), {
    en: 'Without their keys',
    ru: 'Без ключей',
  }),
  payments: Type.Array(Payment),
  referral_earnings: Type.Array(Earning),
  withdrawals: Type.Array(Withdrawal),
  promocodes: field(Type.Array(ActivationKey), {
    en: 'Keys that were bought, without their codes',
    ru: 'Купленные ключи активации без самих кодов',
  }),
  notifications: field(Type.Array(Closed({ id: Id, content: MessageText, created_at: CreatedAt })), {
    en: 'Those that were not taken yet; this takes none',
    ru: 'Ещё не полученные; выгрузка их не забирает',
  }),
  events: Type.Array(Event),
}

export const exportedLists = Object.keys(lists) as (keyof typeof lists)[]

export const ProfileExport = resource('ProfileExport', {
  exported_at: field(UnixSeconds, {
    en: 'When this was put together, Unix time in seconds',
    ru: 'Когда составлена выгрузка, время Unix в секундах',
    example: exampleTime,
  }),
  profile: Account,
  notification_settings: NotificationSettings,
  ...lists,
  cut_lists: field(Type.Array(Type.Enum(exportedLists)), {
    en: 'Lists of which only the newest 1000 are here',
    ru: 'Списки, от которых здесь только последние 1000 записей',
    example: [],
  }),
})
export type ProfileExport = Static<typeof ProfileExport>

export const exportRows = table({
  exportProfile: {
    method: 'GET',
    path: '/profile/export',
    summary: {
      en: 'Everything that is kept about the account as one JSON, without keys and codes; of each list the newest 1000',
      ru: 'Всё, что хранится об аккаунте, одним JSON, без ключей и кодов; от каждого списка — последние 1000 записей',
    },
    auth: 'session',
    limit: per(2, 60),
    request: {},
    response: { 200: ProfileExport },
    errors: [],
  },
})
