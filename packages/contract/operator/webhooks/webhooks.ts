import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, CreatedAt, exampleTime, field, Id, Nullable, Text } from '../../shapes.ts'
import { ById, Moment, NotYet, optionally, page, SeenVersion, Version, wholeOrPage } from '../shapes.ts'

/** Where programs of operators are told what happens, as Standard Webhooks has it. */

export const eventTypes = [
  'user.created',
  'order.paid',
  'order.refunded',
  'term.started',
  'term.ending',
  'term.ended',
  'term.limited',
  'payment.failed',
  'withdrawal.requested',
  'node.offline',
  'node.online',
  'alert.opened',
] as const
export type EventType = (typeof eventTypes)[number]

const endpoint = {
  url: field(Text(1, 2048), {
    en: 'Where events are posted: https, at a public address. A service with the embedded database also takes http on this machine',
    ru: 'Куда отправляются события: https с публичным адресом. Сервис со встроенной базой принимает и http на этой же машине',
    example: 'https://crm.example.com/sallyport',
  }),
  events: field(
    Type.Array(Type.Enum([...eventTypes]), { minItems: 1, maxItems: eventTypes.length, uniqueItems: true }),
    {
      en: 'What it is told of',
      ru: 'О чём сообщать',
      example: ['order.paid', 'order.refunded'],
    },
  ),
  is_active: field(Type.Boolean(), {
    en: 'false: nothing is sent and nothing new is kept for it; what waits goes out when it is switched on within 3 days',
    ru: 'false — ничего не отправляется и новое не копится; то, что ждёт, уйдёт, если включить в течение 3 дней',
    example: true,
  }),
}

const row = {
  id: field(Id, { example: 3 }),
  ...endpoint,
  failing_since: field(Moment, {
    en: 'Since when nothing has been accepted there, Unix time in seconds; null while all is well',
    ru: 'С какого времени там ничего не принимают, время Unix в секундах; null — всё в порядке',
    example: null,
  }),
  version: Version,
  created_at: CreatedAt,
}

const Status = field(Nullable(Type.Integer()), {
  en: 'HTTP status of the last answer; null when none came',
  ru: 'HTTP-статус последнего ответа; null — ответа не было',
  example: 200,
})
const Problem = field(Nullable(Type.String()), {
  en: 'Why the last try was no success',
  ru: 'Почему последняя попытка не удалась',
  example: null,
})
const owner = ['owner'] as const

export const operatorWebhooks = table({
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    summary: { en: 'Where events are sent', ru: 'Куда отправляются события' },
    auth: 'operator',
    roles: owner,
    limit: 'none',
    request: { query: Closed(wholeOrPage) },
    response: { 200: Type.Array(Closed(row)) },
    errors: [],
  },
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    summary: {
      en: 'Send events to an address; the secret that they are signed with is shown this once',
      ru: 'Отправлять события на адрес; секрет, которым они подписаны, показывается один раз',
    },
    auth: 'operator',
    roles: owner,
    limit: 'none',
    request: {
      body: Closed({
        url: endpoint.url,
        events: endpoint.events,
        is_active: Type.Optional(endpoint.is_active),
      }),
    },
    response: {
      201: Closed({
        ...row,
        secret: field(Type.String(), {
          en: 'Key of the signatures, as libraries of Standard Webhooks take it',
          ru: 'Ключ подписи в том виде, в каком его принимают библиотеки Standard Webhooks',
          example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwCm0tRZQ5yL8=',
        }),
      }),
    },
    errors: ['CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'webhook', hidden: ['url'] },
  },
  changeWebhook: {
    method: 'PATCH',
    path: '/webhooks/:id',
    summary: {
      en: 'Change where, what or whether; what is left out stays. What waits goes to the new address',
      ru: 'Изменить адрес, события или выключить; неназванное остаётся как было. То, что ждёт, уйдёт на новый адрес',
    },
    auth: 'operator',
    roles: owner,
    limit: 'none',
    request: { params: ById, body: Closed({ ...optionally(endpoint), version: SeenVersion }) },
    example: { body: { events: ['order.paid', 'order.refunded', 'payment.failed'] } },
    response: { 200: Closed(row) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    reauthenticates: true,
    audit: { subject: 'webhook', hidden: ['url'] },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/webhooks/:id',
    summary: {
      en: 'Send nothing there any more; what waits is dropped',
      ru: 'Больше ничего туда не отправлять; то, что ждёт, отбрасывается',
    },
    auth: 'operator',
    roles: owner,
    limit: 'none',
    request: { params: ById },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
    reauthenticates: true,
    audit: { subject: 'webhook', hidden: ['url'] },
  },
  testWebhook: {
    method: 'POST',
    path: '/webhooks/:id/test',
    summary: {
      en: 'Send one signed event now, also to one that is switched off, and see what comes back',
      ru: 'Отправить сейчас одно подписанное событие, даже если адрес выключен, и увидеть ответ',
    },
    auth: 'operator',
    roles: owner,
    limit: 'none',
    request: { params: ById },
    response: {
      200: Closed({
        is_delivered: field(Type.Boolean(), {
          en: 'It was accepted: an answer between 200 and 299',
          ru: 'Принято: ответ от 200 до 299',
          example: true,
        }),
        status: Status,
        error: Problem,
        took_ms: field(Type.Integer({ minimum: 0 }), {
          en: 'How long it took, in milliseconds',
          ru: 'Сколько это заняло, в миллисекундах',
          example: 84,
        }),
      }),
    },
    errors: ['NOT_FOUND'],
    reauthenticates: true,
    audit: { subject: 'webhook' },
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    summary: {
      en: 'What was sent there in the last 30 days or waits to be, newest first',
      ru: 'Что отправлено туда за 30 дней или ждёт отправки, сначала новое',
    },
    auth: 'operator',
    roles: owner,
    limit: 'none',
    request: { params: ById, query: Closed(page) },
    response: {
      200: Type.Array(
        Closed({
          id: field(Id, { example: 1042 }),
          event_id: field(Type.String(), {
            en: 'The header webhook-id: the same at every try',
            ru: 'Заголовок webhook-id: одинаковый при всех попытках',
            example: 'evt_6f2c1d6f0b8e4a5f9d3c7b1a2e4f6081',
          }),
          type: field(Type.String(), { example: 'order.paid' }),
          subject: field(Type.String(), {
            en: 'What it is about; events about the same come in their order',
            ru: 'О чём оно; события об одном и том же приходят по порядку',
            example: 'order:42',
          }),
          state: field(Type.Enum(['waiting', 'delivered', 'failed']), {
            en: 'failed: given up after 3 days of tries',
            ru: 'failed — попытки прекращены через 3 дня',
            example: 'delivered',
          }),
          attempts: field(Type.Integer({ minimum: 0 }), { example: 1 }),
          last_status: Status,
          last_error: Problem,
          next_try_at: NotYet,
          delivered_at: field(Moment, { example: exampleTime + 1 }),
          created_at: CreatedAt,
        }),
      ),
    },
    errors: ['NOT_FOUND'],
  },
})
