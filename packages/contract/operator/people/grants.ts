import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, exampleTime, field, Id, protocols, UnixSeconds } from '../../shapes.ts'
import { ByUser, ProductClassValue, Reason } from '../shapes.ts'

/** Part of the operator's work with people: what is given to them. */
export const grantRows = table({
  grantProduct: {
    method: 'POST',
    path: '/users/:id/grants',
    summary: {
      en: 'Give a customer a configuration, an option or a cloud server without payment; it is in the books as a gift',
      ru: 'Подарить клиенту конфигурацию, опцию или облачный сервер без оплаты; в учёте это подарок',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      params: ByUser,
      body: Closed({
        product_type: field(ProductClassValue, { example: 'configs' }),
        product_id: field(Type.Optional(Id), {
          en: 'Which option, or which configuration of a cloud server; not for configs',
          ru: 'Какая опция или конфигурация облачного сервера; для configs не нужно',
        }),
        location_id: field(Type.Optional(Id), {
          en: 'Where; not for paid_options',
          ru: 'Где; для paid_options не нужно',
          example: 1,
        }),
        protocol: field(Type.Optional(Type.Enum([...protocols])), {
          en: 'For configs only',
          ru: 'Только для configs',
          example: 'vless',
        }),
        days: field(Type.Integer({ minimum: 1, maximum: 3650 }), { example: 30 }),
        reason: field(Reason, { example: 'found a mistake of ours' }),
      }),
    },
    example: {
      body: {
        product_type: 'configs',
        location_id: 1,
        protocol: 'vless',
        days: 30,
        reason: 'found a mistake of ours',
      },
    },
    response: {
      201: Closed({
        item_id: field(Id, {
          en: 'What was given or prolonged',
          ru: 'Что подарено или продлено',
          example: 1,
        }),
        expires_at: field(UnixSeconds, { example: exampleTime + 30 * 86_400 }),
      }),
    },
    errors: ['NOT_FOUND', 'NO_SERVER_AVAILABLE', 'CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'user' },
  },
})
