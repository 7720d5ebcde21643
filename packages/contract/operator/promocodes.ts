import Type from 'typebox'
import { codeExample } from '../customer/account-shapes.ts'
import { Days } from '../customer/shapes.ts'
import { table } from '../operation.ts'
import { Closed, CreatedAt, field, Id, Nullable, UnixSeconds } from '../shapes.ts'
import { ById, money, NotYet, ProductClassValue, page } from './shapes.ts'

const NobodyYet = field(Nullable(Id), { example: null })

/** Part of the operator's money: activation keys. */
export const promocodeRows = table({
  issuePromocodes: {
    method: 'POST',
    path: '/promocodes',
    summary: {
      en: 'Issue activation keys; each works once. They are shown only here',
      ru: 'Выпустить ключи активации; каждый сработает один раз. Показываются только здесь',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      body: Closed({
        product_type: ProductClassValue,
        days: field(Type.Integer({ minimum: 1, maximum: 3650 }), {
          en: 'For how many days each activates',
          ru: 'На сколько дней активирует каждый',
          example: 30,
        }),
        count: field(Type.Integer({ minimum: 1, maximum: 1000 }), {
          en: 'How many keys to issue',
          ru: 'Сколько ключей выпустить',
          example: 10,
        }),
        expires_at: field(Type.Optional(Nullable(UnixSeconds)), {
          en: 'Until when they can be used, Unix time in seconds',
          ru: 'До какого времени их можно использовать, время Unix в секундах',
        }),
      }),
    },
    response: { 201: Closed({ codes: field(Type.Array(Type.String()), { example: [codeExample] }) }) },
    errors: ['CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'promocodes' },
  },
  listIssuedPromocodes: {
    method: 'GET',
    path: '/promocodes',
    summary: {
      en: 'Activation keys, issued and bought, newest first; the middle of a code is hidden',
      ru: 'Ключи активации, выпущенные и купленные, сначала новые; середина кода скрыта',
    },
    auth: 'operator',
    limit: 'none',
    request: {
      query: Closed({
        ...page,
        product_type: Type.Optional(ProductClassValue),
        is_active: Type.Optional(Type.Boolean()),
      }),
    },
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          code: field(Type.String(), { en: 'Masked', ru: 'Середина скрыта', example: 'K7QM-••••-••••-HW3C' }),
          product_type: ProductClassValue,
          days: Days,
          is_active: Type.Boolean(),
          buyer_id: NobodyYet,
          used_by: NobodyYet,
          used_at: NotYet,
          expires_at: NotYet,
          revoked_at: NotYet,
          created_at: CreatedAt,
        }),
      ),
    },
    errors: [],
    csv: true,
  },
  revokePromocode: {
    method: 'DELETE',
    path: '/promocodes/:id',
    summary: {
      en: 'Make an unused activation key worthless',
      ru: 'Отозвать неиспользованный ключ активации',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: { params: ById },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'promocode' },
  },
})
