import Type from 'typebox'
import { Balance, OwnReferralCode, ReferralBalance } from '../../customer/account-shapes.ts'
import { table } from '../../operation.ts'
import { Closed, CreatedAt, exampleTime, field, Id, Nullable, Text } from '../../shapes.ts'
import { Moment, NotYet, page, UserEmail, UserId, Version } from '../shapes.ts'
import { userSorts, userViews } from './views.ts'

export const TelegramId = field(Nullable(Id), {
  en: 'Number of the customer’s Telegram account',
  ru: 'Номер аккаунта в Telegram',
  example: 136_817_688,
})

export const LastSeenAt = field(Moment, {
  en: 'When an app, a session or a key of the customer was last seen',
  ru: 'Когда последний раз были видны приложение, сессия или ключ клиента',
  example: exampleTime,
})

export const SearchUsers = field(Text(1, 300), {
  en: 'A whole id, e-mail, Telegram id, payment id, subscription key or link, promocode, device id or referral code; or the beginning of an e-mail',
  ru: 'Целиком: номер, почта, номер Telegram, платёж, ключ или ссылка подписки, промокод, устройство, реферальный код; или начало почты',
})

export const viewWords = {
  en: 'active: something live; ending: an end within 3 days without auto-renewal; ended: had something, has nothing; never_connected: something live, never fetched, no traffic; paying: outside money in the last 30 days',
  ru: 'active — есть действующее; ending — конец в ближайшие 3 дня без автопродления; ended — было, но закончилось; never_connected — есть действующее, но ни разу не подключались; paying — платили извне за последние 30 дней',
}

const UserRow = Closed({
  id: UserId,
  email: UserEmail,
  telegram_id: TelegramId,
  created_at: CreatedAt,
  is_blocked: field(Type.Boolean(), { example: false }),
  balance: Balance,
  terms: field(Type.Integer(), { en: 'How much is live', ru: 'Сколько действующего', example: 2 }),
  next_end: field(Moment, {
    en: 'When the first of it ends',
    ru: 'Когда закончится первое из него',
    example: exampleTime + 30 * 86_400,
  }),
  last_seen_at: LastSeenAt,
  referral_balance: ReferralBalance,
  referral_code: OwnReferralCode,
  referrer_id: field(Nullable(Id), { en: 'Who invited this customer', ru: 'Кто пригласил', example: null }),
  deleted_at: NotYet,
  version: Version,
})

/** Part of the operator's work with people: finding them. */
export const searchRows = table({
  searchUsers: {
    method: 'GET',
    path: '/users',
    summary: {
      en: 'Customers, newest first: by what they name, by how they stand, in the order that you need',
      ru: 'Клиенты, сначала новые: по тому, что они назвали, по их положению, в нужном порядке',
    },
    auth: 'operator',
    limit: 'none',
    request: {
      query: Closed({
        limit: page.limit,
        search: Type.Optional(SearchUsers),
        view: field(Type.Optional(Type.Enum([...userViews])), viewWords),
        sort: field(Type.Optional(Type.Enum([...userSorts])), {
          en: 'What to sort by; with a minus from the largest. next_end is for views whose customers have something',
          ru: 'По чему сортировать; с минусом — от большего. next_end — для видов, где у клиентов что-то есть',
        }),
        cursor: field(Type.Optional(Text(1, 2000)), {
          en: 'next_cursor of the page before, asked with the same search, view and sort',
          ru: 'next_cursor предыдущей страницы с теми же search, view и sort',
        }),
      }),
    },
    response: {
      200: Closed({
        items: Type.Array(UserRow),
        next_cursor: field(Nullable(Type.String()), {
          en: 'For the next page, which may be short or empty before the last; null at the end',
          ru: 'Для следующей страницы — она может быть неполной и до конца списка; null — конец',
          example: null,
        }),
      }),
    },
    errors: [],
    csv: true,
  },
})
