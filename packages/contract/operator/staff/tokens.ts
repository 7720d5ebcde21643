import Type from 'typebox'
import { table } from '../../operation.ts'
import {
  Closed,
  CreatedAt,
  ExpiresAt,
  exampleTime,
  field,
  Id,
  Nullable,
  Text,
  UnixSeconds,
} from '../../shapes.ts'
import { Title } from '../../visible-text.ts'
import { ById, wholeOrPage } from '../shapes.ts'

/** What operators and their programs come with. An owner sees everybody's, others their own. */

/** What would give whoever has a token for some operations more than the token. */
export const letsIn: readonly string[] = [
  'createOperatorToken',
  'createOperator',
  'changeOperator',
  'createSignInLink',
]

const TokenOf = Closed({ ...ById.properties, token_id: field(Id, { example: 12 }) })

const Operations = field(Nullable(Type.Array(Text(1, 64))), {
  en: 'Names of the only operations it may call; null is all that the role may',
  ru: 'Единственные операции, которые токен может вызывать, по именам; null — всё, что можно роли',
  example: ['searchPayments'],
})

const row = {
  id: field(Id, { example: 12 }),
  title: field(Type.String(), { example: 'bookkeeping' }),
  prefix: field(Type.String(), {
    en: 'How the token begins, after slo_',
    ru: 'Начало токена, после slo_',
    example: 'a1B2c3D4',
  }),
  operations: Operations,
  created_at: CreatedAt,
  expires_at: field(Nullable(ExpiresAt), {
    en: 'When it ends, Unix time in seconds; null is never',
    ru: 'Когда закончится, время Unix в секундах; null — никогда',
    example: null,
  }),
}

export const operatorTokenRows = table({
  listOperatorTokens: {
    method: 'GET',
    path: '/operators/:id/tokens',
    summary: {
      en: 'Tokens of an operator that were not revoked: an owner sees everybody’s, others their own',
      ru: 'Неотозванные токены оператора: владелец видит токены всех, остальные — свои',
    },
    auth: 'operator',
    limit: 'none',
    request: { params: ById, query: Closed(wholeOrPage) },
    response: {
      200: Type.Array(
        Closed({
          ...row,
          last_used_at: field(Nullable(UnixSeconds), {
            en: 'When it was last used, Unix time in seconds, to a minute',
            ru: 'Когда последний раз использован, время Unix в секундах, с точностью до минуты',
            example: exampleTime,
          }),
        }),
      ),
    },
    errors: ['NOT_FOUND'],
  },
  createOperatorToken: {
    method: 'POST',
    path: '/operators/:id/tokens',
    summary: {
      en: 'Make a token for an operator or a program of theirs; it is shown this once',
      ru: 'Выдать токен оператору или его программе; токен показывается один раз',
    },
    auth: 'operator',
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        title: field(Title, { example: 'bookkeeping' }),
        expires_in_days: field(Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })), {
          en: 'For ever when not said',
          ru: 'Если не указано — бессрочно',
          example: 90,
        }),
        operations: field(
          Type.Optional(Type.Array(Text(1, 64), { minItems: 1, maxItems: 200, uniqueItems: true })),
          {
            en: 'Names of the only operations it may call; such a token makes no tokens, operators or links',
            ru: 'Единственные операции, которые токен может вызывать, по именам; такой токен не выдаёт токенов и ссылок и не создаёт операторов',
            example: ['searchPayments'],
          },
        ),
      }),
    },
    response: {
      201: Closed({
        ...row,
        token: field(Type.String(), { example: 'slo_a1B2c3D4_0123456789abcdefghijklmn' }),
      }),
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'operator' },
  },
  revokeOperatorToken: {
    method: 'DELETE',
    path: '/operators/:id/tokens/:token_id',
    summary: {
      en: 'Revoke a token; it ends at once on every instance',
      ru: 'Отозвать токен; он сразу перестаёт действовать на всех экземплярах',
    },
    auth: 'operator',
    limit: 'none',
    request: { params: TokenOf },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
    audit: { subject: 'operator' },
  },
})
