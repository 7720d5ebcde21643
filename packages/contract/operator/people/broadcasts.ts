import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, CreatedAt, exampleTime, field, Id, Nullable, UnixSeconds } from '../../shapes.ts'
import { Prose } from '../../visible-text.ts'
import { ById, NotYet, page, UserEmail } from '../shapes.ts'
import { SearchUsers, viewWords } from './search.ts'
import { userViews } from './views.ts'

export const broadcastViews = [...userViews, 'everyone'] as const
export type BroadcastView = (typeof broadcastViews)[number]

const HowMany = (about: { en: string; ru: string }) => field(Type.Integer(), { ...about, example: 120 })

const Broadcast = Closed({
  id: Id,
  state: field(Type.Enum(['scheduled', 'sending', 'done', 'stopped']), { example: 'scheduled' }),
  total: HowMany({
    en: 'How many it is for; before it is sent, as they were when it was made',
    ru: 'Скольким предназначена; до отправки — сколько было при создании',
  }),
  sent: field(Type.Integer(), { en: 'How many have it', ru: 'Скольким оставлена', example: 0 }),
  failed: field(Type.Integer(), {
    en: 'How many were gone before it reached them',
    ru: 'Сколько клиентов успели удалить аккаунт',
    example: 0,
  }),
  view: field(Nullable(Type.Enum([...broadcastViews])), { example: 'ending' }),
  search: field(Nullable(Type.String()), { example: null }),
  content_ru: field(Type.String(), { example: 'Завтра ночью обновим серверы.' }),
  content_en: field(Type.String(), { example: 'Servers are updated tomorrow night.' }),
  send_at: field(UnixSeconds, { example: exampleTime }),
  created_at: CreatedAt,
  ended_at: field(NotYet, { en: 'When it was done or stopped', ru: 'Когда закончена или остановлена' }),
})

const Preview = Closed({
  total: HowMany({ en: 'How many it would be for', ru: 'Скольким предназначалась бы' }),
  sample: Type.Array(Closed({ id: Id, email: UserEmail })),
})

const content = (example: string) => field(Prose(1, 4000), { example })

/** Part of the operator's work with people: one message to many. */
export const broadcastRows = table({
  listBroadcasts: {
    method: 'GET',
    path: '/broadcasts',
    summary: { en: 'Messages to many, newest first', ru: 'Рассылки, сначала новые' },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: { query: Closed(page) },
    response: { 200: Type.Array(Broadcast) },
    errors: [],
    csv: true,
  },
  createBroadcast: {
    method: 'POST',
    path: '/broadcasts',
    summary: {
      en: 'Leave a message for many customers; unless it is confirmed, only shows for whom it would be',
      ru: 'Оставить сообщение многим клиентам; без подтверждения только показывает, кому',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      body: Closed({
        view: field(Type.Optional(Type.Enum([...broadcastViews])), {
          en: `${viewWords.en}; everyone: all customers`,
          ru: `${viewWords.ru}; everyone — все клиенты`,
          example: 'ending',
        }),
        search: field(Type.Optional(SearchUsers), {
          en: 'As in GET /users; instead of a view',
          ru: 'Как в GET /users; вместо view',
        }),
        content_ru: content('Завтра ночью обновим серверы.'),
        content_en: content('Servers are updated tomorrow night.'),
        send_at: field(Type.Optional(UnixSeconds), {
          en: 'Not before this time; at once when left out',
          ru: 'Не раньше этого времени; сразу, если не указано',
        }),
        confirm: field(Type.Optional(Type.Boolean()), {
          en: 'Without it nothing is stored or sent',
          ru: 'Без него ничего не сохраняется и не отправляется',
          example: true,
        }),
      }),
    },
    example: {
      body: {
        view: 'ending',
        content_ru: 'Завтра ночью обновим серверы.',
        content_en: 'Servers are updated tomorrow night.',
        confirm: true,
      },
    },
    response: { 201: Broadcast, 200: Preview },
    errors: ['CONFLICT'],
    idempotent: true,
    audit: { subject: 'broadcast', hidden: ['search'] },
  },
  showBroadcast: {
    method: 'GET',
    path: '/broadcasts/:id',
    summary: { en: 'How far a message to many has come', ru: 'Насколько продвинулась рассылка' },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: { params: ById },
    response: { 200: Broadcast },
    errors: ['NOT_FOUND'],
  },
  stopBroadcast: {
    method: 'DELETE',
    path: '/broadcasts/:id',
    summary: {
      en: 'Stop a message to many; whoever has it keeps it',
      ru: 'Остановить рассылку; кому она уже оставлена, у тех останется',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: { params: ById },
    response: { 200: Broadcast },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'broadcast', hidden: ['search'] },
  },
})
