import Type from 'typebox'
import { MessageText, OwnReferralCode } from '../../customer/account-shapes.ts'
import { table } from '../../operation.ts'
import { Closed, CreatedAt, ExpiresAt, exampleTime, field, Id, Nullable, resource } from '../../shapes.ts'
import { Prose } from '../../visible-text.ts'
import {
  Amount,
  AmountCurrency,
  Anything,
  ByUser,
  Method,
  Moment,
  NotYet,
  orderStates,
  PricingRuleRow,
  SeenVersion,
  UserEmail,
  UserId,
  Version,
} from '../shapes.ts'
import { LastSeenAt, TelegramId } from './search.ts'
import { EmailAddress } from './users.ts'

const Roubles = field(Type.Integer(), { en: 'In roubles', ru: 'В рублях', example: 300 })
const Bytes = field(Type.Integer(), { en: 'In bytes', ru: 'В байтах', example: 1_048_576 })
const Name = Type.String()

const Identity = Closed({
  id: Id,
  provider: field(Name, { example: 'telegram' }),
  subject: field(Name, {
    en: 'What the provider knows them by',
    ru: 'Под чем их знает провайдер',
    example: '136817688',
  }),
  created_at: CreatedAt,
})

const Session = Closed({
  id: field(Name, { example: '0b0c6b1e-4a53-4c39-9a4e-3f3d6f0f7c11' }),
  created_at: CreatedAt,
  expires_at: ExpiresAt,
})

const LastFetch = Nullable(
  Closed({
    app: field(Name, { example: 'Happ/3.7.0' }),
    at: field(Type.Integer(), {
      en: 'Unix time in seconds',
      ru: 'Время Unix в секундах',
      example: exampleTime,
    }),
    outcome: field(Name, {
      en: 'served, not_modified, or why it was refused: limit, blocked, unknown, no_hwid',
      ru: 'served, not_modified или причина отказа: limit, blocked, unknown, no_hwid',
      example: 'served',
    }),
  }),
)

const Subscription = Closed({
  id: Id,
  kind: field(Type.Enum(['account', 'paid_option', 'custom']), { example: 'account' }),
  title: field(Nullable(Name), { example: null }),
  term_id: field(Nullable(Id), { example: null }),
  device_limit: field(Type.Integer(), { en: '0 is any number', ru: '0 — сколько угодно', example: 0 }),
  block_unknown_devices: Type.Boolean(),
  last_fetch: field(LastFetch, { en: 'By an app', ru: 'Приложением' }),
  created_at: CreatedAt,
})

const Place = Closed({
  location_id: Id,
  location: field(Name, { example: 'Germany' }),
  server_id: Id,
  node_id: Id,
  node: field(Name, { example: 'de-1' }),
  is_online: Type.Boolean(),
})

const Traffic = Closed({ up: Bytes, down: Bytes })

const TermAccess = Closed({
  id: Id,
  protocol: field(Name, { example: 'vless' }),
  title: field(Nullable(Name), { example: null }),
  place: Place,
  is_placed: field(Type.Boolean(), {
    en: 'Whether its node is to carry it',
    ru: 'Должен ли узел его обслуживать',
    example: true,
  }),
  problem: field(Nullable(Name), {
    en: 'Why its node does not carry it',
    ru: 'Почему узел его не обслуживает',
    example: null,
  }),
  traffic: Traffic,
})

const UserTerm = Closed({
  term_id: Id,
  product_type: field(Name, { example: 'configs' }),
  product_id: field(Nullable(Id), { example: null }),
  item_id: field(Id, {
    en: 'The number that the customer sees',
    ru: 'Номер, который видит клиент',
    example: 1,
  }),
  title: field(Name, { example: 'Germany, VLESS' }),
  state: field(Type.Enum(['active', 'limited', 'disabled', 'expired']), { example: 'active' }),
  expires_at: ExpiresAt,
  stopped_at: field(Moment, {
    en: 'Since when its days do not run, because nothing can carry it',
    ru: 'С какого времени дни не идут, потому что обслужить некому',
    example: null,
  }),
  auto_renewal: Type.Boolean(),
  auto_renewal_days: field(Nullable(Type.Integer()), { example: null }),
  created_at: CreatedAt,
  place: Nullable(Place),
  traffic: Traffic,
  accesses: Type.Array(TermAccess),
})

const UserDevice = Closed({
  id: Id,
  subscription_id: Id,
  device_name: field(Name, { example: 'Pixel 9' }),
  device_type: field(Name, { example: 'android' }),
  device_model: field(Name, { example: 'Pixel 9' }),
  os_version: field(Name, { example: '15' }),
  is_blocked: Type.Boolean(),
  is_fingerprinted: Type.Boolean(),
  created_at: CreatedAt,
  last_seen_at: field(Type.Integer(), { example: exampleTime }),
})

const UserOrder = Closed({
  id: Id,
  product: field(Name, { example: 'configs' }),
  item_id: field(Nullable(Id), { example: 1 }),
  state: field(Type.Enum([...orderStates]), { example: 'fulfilled' }),
  is_renewal: Type.Boolean(),
  as_key: Type.Boolean(),
  days: field(Type.Integer(), { example: 30 }),
  is_gift: Type.Boolean(),
  method: Method,
  amount: Amount,
  currency: AmountCurrency,
  created_at: CreatedAt,
  paid_at: field(Moment, { example: exampleTime + 60 }),
  fulfilled_at: field(Moment, { example: exampleTime + 61 }),
  refunded_at: NotYet,
})

const Flags = Closed({
  noChangeCountry: field(Type.Boolean(), {
    en: 'Configurations stay in their countries',
    ru: 'Конфигурации остаются в своих странах',
    example: false,
  }),
})

const aboutNote = {
  en: 'Customers are not shown it here, and get it when they ask for their data',
  ru: 'Клиент её не видит, но получит, когда запросит свои данные',
}

export const UserPage = resource('UserPage', {
  id: UserId,
  email: UserEmail,
  telegram_id: TelegramId,
  created_at: CreatedAt,
  deleted_at: NotYet,
  is_blocked: field(Type.Boolean(), { example: false }),
  last_seen_at: LastSeenAt,
  sign_in_method: field(Name, { example: 'authCode' }),
  referral_code: OwnReferralCode,
  referrer_id: field(Nullable(Id), { example: null }),
  referrals_count: field(Type.Integer(), { example: 0 }),
  balances: Closed({
    wallet: Roubles,
    referral: Roubles,
    referral_hold: Roubles,
    withdrawal_hold: Roubles,
  }),
  identities: Type.Array(Identity),
  flags: Flags,
  note: field(Nullable(Name), { en: aboutNote.en, ru: aboutNote.ru, example: null }),
  is_note_internal: field(Type.Boolean(), { example: false }),
  version: Version,
  sessions: Type.Array(Session),
  subscriptions: Type.Array(Subscription),
  terms: Type.Array(UserTerm),
  devices: Type.Array(UserDevice),
  pricing_rules: Type.Array(PricingRuleRow),
  orders: field(Type.Array(UserOrder), { en: 'The last 20', ru: 'Последние 20' }),
  notifications: field(
    Type.Array(
      Closed({
        id: Id,
        content: MessageText,
        content_en: field(Nullable(Name), { example: null }),
        visible_at: field(Type.Integer(), {
          en: 'Not shown before',
          ru: 'Раньше не показывается',
          example: 0,
        }),
        created_at: CreatedAt,
      }),
    ),
    { en: 'Not read yet', ru: 'Ещё не прочитаны' },
  ),
  events: Type.Array(
    Closed({
      id: Id,
      kind: field(Name, { example: 'signed_in' }),
      details: field(Anything, { example: { method: 'authCode' } }),
      created_at: CreatedAt,
    }),
  ),
})

/** Part of the operator's work with people: one of them. */
export const userPageRows = table({
  showUser: {
    method: 'GET',
    path: '/users/:id',
    summary: {
      en: 'A customer’s page: account, money, everything they have and where it is, devices, orders, events',
      ru: 'Страница клиента: аккаунт, деньги, всё, что у него есть и где, устройства, заказы, события',
    },
    auth: 'operator',
    limit: 'none',
    request: { params: ByUser },
    response: { 200: UserPage },
    errors: ['NOT_FOUND'],
  },
  changeUser: {
    method: 'PATCH',
    path: '/users/:id',
    summary: {
      en: 'Change a customer’s note, flags or e-mail; they are told of a new e-mail',
      ru: 'Изменить заметку, флаги или почту клиента; о новой почте он узнает',
    },
    auth: 'operator',
    roles: ['owner', 'support'],
    limit: 'none',
    request: {
      params: ByUser,
      body: Closed({
        note: field(Type.Optional(Nullable(Prose(1, 4000))), {
          en: `${aboutNote.en}; null takes it away`,
          ru: `${aboutNote.ru}; null убирает`,
          example: 'Writes in the evening',
        }),
        is_note_internal: field(Type.Optional(Type.Boolean()), {
          en: 'Leaves the note out of the customer’s data, where the law lets you: it speaks of others, or of an inquiry',
          ru: 'Не показывать заметку в данных клиента, когда закон это позволяет: она о других людях или о проверке',
          example: false,
        }),
        flags: field(Type.Optional(Closed({ noChangeCountry: Type.Optional(Type.Boolean()) })), {
          en: 'They hold for everything that the customer has; what is left out stays',
          ru: 'Действуют на всё, что есть у клиента; что не названо, остаётся',
          example: { noChangeCountry: true },
        }),
        email: field(Type.Optional(EmailAddress), {
          en: 'To sign in with; the old one opens the account no more. A person who sets it proves anew that it is them',
          ru: 'Для входа; по старому адресу больше не войти. Человек, который его меняет, подтверждает себя ключом доступа',
        }),
        version: SeenVersion,
      }),
    },
    example: { body: { note: 'Writes in the evening', flags: { noChangeCountry: true } } },
    response: { 200: UserPage },
    errors: ['NOT_FOUND', 'CONFLICT', 'REAUTHENTICATION_REQUIRED'],
    audit: { subject: 'user', hidden: ['email', 'note'] },
  },
  signUserOut: {
    method: 'POST',
    path: '/users/:id/sign-out',
    summary: {
      en: 'End every session of a customer at once; API keys stay',
      ru: 'Сразу завершить все сессии клиента; API-ключи остаются',
    },
    auth: 'operator',
    roles: ['owner', 'support'],
    limit: 'none',
    request: { params: ByUser },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
    audit: { subject: 'user' },
  },
})
