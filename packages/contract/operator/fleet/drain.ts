import Type from 'typebox'
import { type Role, table } from '../../operation.ts'
import { Closed, exampleTime, field, Id, UnixSeconds } from '../../shapes.ts'
import { ById } from '../shapes.ts'

const drainers: readonly Role[] = ['owner', 'support', 'technician']
export const drainStates = ['running', 'waiting', 'done', 'stopped'] as const
const Count = (en: string, ru: string, example: number) =>
  field(Type.Integer({ minimum: 0 }), { en, ru, example })

const Drain = Closed({
  state: field(Type.Enum([...drainStates]), {
    en: 'running; waiting: all have moved and old links still work; done: nobody is left, no option names it, and it is closed; stopped by a person',
    ru: 'running — идёт; waiting — все перенесены, прежние ссылки ещё работают; done — никого не осталось, ни одна опция его не называет, сервер закрыт; stopped — остановлено человеком',
    example: 'running',
  }),
  total: Count('Configurations that were there', 'Сколько конфигураций было', 120),
  moved: Count('That are elsewhere by now', 'Сколько уже перенесено', 80),
  left: Count('That are still to be moved', 'Сколько осталось перенести', 39),
  failed: field(
    Type.Array(
      Closed({
        item: field(Id, {
          en: 'Number of the configuration; of the paid option, where that needs another server and nobody has it here',
          ru: 'Номер конфигурации; номер платной опции, если ей нужен другой сервер, а клиентов с ней здесь нет',
          example: 12,
        }),
        reason: field(Type.String(), {
          example: 'no other server of the location that offers vless has room',
        }),
      }),
    ),
    {
      en: 'What could not be moved and why, the first 100; it is tried again every minute',
      ru: 'Что перенести не удалось и почему, первые 100; попытка повторяется каждую минуту',
    },
  ),
  failed_total: Count('That could not be moved, in all', 'Скольких перенести не удалось всего', 1),
})

/** Part of the fleet: servers that are emptied, while everybody on them goes on. */
export const drainRows = table({
  startDrain: {
    method: 'POST',
    path: '/servers/:id/drain',
    summary: {
      en: 'Move everything on a server elsewhere; old links work until apps have fetched again, for at most 7 days',
      ru: 'Перенести всё с сервера на другие; прежние ссылки работают, пока приложения не обновят подписку, но не дольше 7 дней',
    },
    auth: 'operator',
    roles: drainers,
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        to_server_ids: field(
          Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true })),
          {
            en: 'Where to; others of the location when not named',
            ru: 'Куда; если не указано — на другие серверы той же локации',
            example: [2],
          },
        ),
      }),
    },
    response: { 200: Drain },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    audit: { subject: 'server' },
  },
  showDrain: {
    method: 'GET',
    path: '/servers/:id/drain',
    summary: { en: 'How far a server is emptied', ru: 'Ход переноса с сервера' },
    auth: 'operator',
    roles: drainers,
    limit: 'none',
    request: { params: ById },
    response: { 200: Drain },
    errors: ['NOT_FOUND'],
  },
  stopDrain: {
    method: 'DELETE',
    path: '/servers/:id/drain',
    summary: {
      en: 'Stop emptying a server: what has moved stays moved, the server stays closed until it is sold again',
      ru: 'Остановить перенос: перенесённое остаётся на новом месте, сервер закрыт, пока его не вернут в продажу',
    },
    auth: 'operator',
    roles: drainers,
    limit: 'none',
    request: { params: ById },
    response: { 200: Drain },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'server' },
  },
  moveTerm: {
    method: 'POST',
    path: '/terms/:id/move',
    summary: {
      en: 'Move one customer’s configuration to another server; the old link works until the app has fetched again, for at most 7 days',
      ru: 'Перенести конфигурацию одного клиента на другой сервер; прежняя ссылка работает, пока приложение не обновит подписку, но не дольше 7 дней',
    },
    auth: 'operator',
    roles: ['owner', 'support'],
    limit: 'none',
    request: {
      params: ById,
      body: Closed({ server_id: field(Id, { en: 'Where to', ru: 'Куда', example: 2 }) }),
    },
    response: {
      200: Closed({
        server_id: field(Id, { en: 'Where it is now', ru: 'Где она теперь', example: 2 }),
        old_works_until: field(UnixSeconds, {
          en: 'When the old link ends at the latest',
          ru: 'Когда прежняя ссылка перестанет работать самое позднее',
          example: exampleTime + 7 * 86_400,
        }),
      }),
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    audit: { subject: 'term' },
  },
})
