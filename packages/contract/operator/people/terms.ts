import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, exampleTime, field, UnixSeconds } from '../../shapes.ts'
import { ById, Reason } from '../shapes.ts'

/** Part of the operator's work with people: how long what they have lasts. */
export const termRows = table({
  changeTermDays: {
    method: 'POST',
    path: '/terms/:id/days',
    summary: {
      en: 'Give days to what a customer has, or take some with a minus; support gives up to 30 to one term within 30 days',
      ru: 'Добавить дни к тому, что есть у клиента, или, с минусом, убрать; поддержка даёт до 30 дней на один срок за 30 дней',
    },
    auth: 'operator',
    roles: ['owner', 'support'],
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        days: field(Type.Integer({ minimum: -3650, maximum: 3650 }), {
          en: 'Below zero they are taken; more than are left end it now',
          ru: 'Меньше нуля — дни убираются; больше, чем осталось, — срок кончается сейчас',
          example: 3,
        }),
        reason: field(Reason, { example: 'two days without a server' }),
      }),
    },
    response: {
      200: Closed({
        expires_at: field(UnixSeconds, {
          en: 'When it ends now',
          ru: 'Когда теперь кончается',
          example: exampleTime + 33 * 86_400,
        }),
      }),
    },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE', 'CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'term' },
  },
})
