import Type from 'typebox'
import { Email, Passkey } from '../../customer/auth-shapes.ts'
import { type Role, roles, table } from '../../operation.ts'
import { Closed, CreatedAt, ExpiresAt, exampleTime, field, Id, Nullable, UnixSeconds } from '../../shapes.ts'
import { Title } from '../../visible-text.ts'
import { ById, optionally, page, SeenVersion, Version } from '../shapes.ts'

/** Those who run the service, and what one of them may do. */

const owner: readonly Role[] = ['owner']

const RoleValue = field(Type.Enum([...roles]), {
  en: 'owner may everything; support works with customers, finance with money, technician with nodes and servers',
  ru: 'owner может всё; support работает с клиентами, finance — с деньгами, technician — с узлами и серверами',
  example: 'support',
})
const Name = field(Title, { example: 'Olga' })
const IsActive = field(Type.Boolean(), {
  en: 'Off: nobody comes in as this operator; sessions, tokens and links have ended for good',
  ru: 'Выключен: войти нельзя; сессии, токены и ссылки закончились навсегда',
  example: true,
})
const WantsAlerts = field(Type.Boolean(), {
  en: 'Is written to about new alerts, where there is an address',
  ru: 'Получает письма о новых тревогах, если указана почта',
  example: true,
})
const OperatorEmail = field(Nullable(Type.String()), { example: 'olga@example.com' })
const GivenEmail = field(Nullable(Email), { example: 'olga@example.com' })
const SignedInAt = field(Nullable(UnixSeconds), {
  en: 'When this operator last signed in, Unix time in seconds; null is never',
  ru: 'Когда оператор последний раз вошёл, время Unix в секундах; null — ни разу',
  example: exampleTime,
})

const row = {
  id: field(Id, { example: 2 }),
  name: field(Type.String(), { example: 'Olga' }),
  email: OperatorEmail,
  role: RoleValue,
  is_active: IsActive,
  wants_alerts: WantsAlerts,
  has_passkey: field(Type.Boolean(), {
    en: 'Can sign in without a link',
    ru: 'Может войти без ссылки',
    example: false,
  }),
  signed_in_at: field(SignedInAt, { example: null }),
  created_at: CreatedAt,
  version: Version,
}
const OperatorRow = Closed(row)

const SignInLink = field(Type.String(), {
  en: 'Works once; whoever opens it signs in as this operator. Shown this once',
  ru: 'Действует один раз; кто её откроет, войдёт как этот оператор. Показывается один раз',
  example: 'https://vpn.example.com/console/sign-in#0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
})
const LinkExpiresAt = field(ExpiresAt, { example: exampleTime + 3600 })

export const operatorRows = table({
  showMe: {
    method: 'GET',
    path: '/me',
    summary: {
      en: 'Who you are, and what you may call',
      ru: 'Кто вы и какие операции вам доступны',
    },
    auth: 'operator',
    roles,
    limit: 'none',
    request: {},
    response: {
      200: Closed({
        id: row.id,
        name: row.name,
        email: OperatorEmail,
        role: RoleValue,
        wants_alerts: WantsAlerts,
        operations: field(Type.Array(Type.String()), {
          en: 'Names of the operations that you may call with what you came with',
          ru: 'Имена операций, доступных с тем, с чем вы пришли',
          example: ['showMe', 'listAlerts'],
        }),
        passkeys: Type.Array(Passkey),
        signed_in_at: field(Nullable(UnixSeconds), {
          en: 'When this session began, Unix time in seconds; null for a token',
          ru: 'Когда началась эта сессия, время Unix в секундах; null для токена',
          example: exampleTime,
        }),
        session_expires_at: field(Nullable(UnixSeconds), {
          en: 'When the session ends if nothing more is asked, Unix time in seconds; null for a token',
          ru: 'Когда закончится сессия, если больше ничего не запросить, время Unix в секундах; null для токена',
          example: exampleTime + 1800,
        }),
        proved_until: field(Nullable(UnixSeconds), {
          en: 'Until when your last passkey proof counts, Unix time in seconds; null when one is needed first',
          ru: 'До какого времени действует последнее подтверждение ключом доступа; null, если сначала нужно подтвердить',
          example: exampleTime + 300,
        }),
      }),
    },
    errors: [],
  },
  listOperators: {
    method: 'GET',
    path: '/operators',
    summary: { en: 'Everybody who runs the service, the newest first', ru: 'Все операторы, сначала новые' },
    auth: 'operator',
    roles: owner,
    limit: 'none',
    request: { query: Closed(page) },
    response: { 200: Type.Array(OperatorRow) },
    errors: [],
  },
  createOperator: {
    method: 'POST',
    path: '/operators',
    summary: {
      en: 'Make an operator and a link by which they sign in, once, within an hour',
      ru: 'Создать оператора и ссылку, по которой он войдёт: один раз, в течение часа',
    },
    auth: 'operator',
    roles: owner,
    limit: 'none',
    request: {
      body: Closed({
        name: Name,
        email: Type.Optional(GivenEmail),
        role: RoleValue,
        is_active: Type.Optional(IsActive),
        wants_alerts: Type.Optional(WantsAlerts),
      }),
    },
    response: {
      201: Closed({
        ...row,
        sign_in_link: field(Nullable(SignInLink), {
          example: 'https://vpn.example.com/console/sign-in#0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
        }),
        link_expires_at: field(Nullable(LinkExpiresAt), { example: exampleTime + 3600 }),
      }),
    },
    errors: ['CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'operator', hidden: ['email'] },
  },
  changeOperator: {
    method: 'PATCH',
    path: '/operators/:id',
    summary: {
      en: 'Change an operator, or switch one off and on; the last owner stays one',
      ru: 'Изменить, выключить или включить оператора; последний владелец остаётся владельцем',
    },
    auth: 'operator',
    roles: owner,
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        ...optionally({
          name: Name,
          email: GivenEmail,
          role: RoleValue,
          is_active: IsActive,
          wants_alerts: WantsAlerts,
        }),
        version: SeenVersion,
      }),
    },
    example: { params: { id: 2 }, body: { role: 'finance', wants_alerts: false } },
    response: { 200: OperatorRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
    reauthenticates: true,
    audit: { subject: 'operator', hidden: ['email'] },
  },
  createSignInLink: {
    method: 'POST',
    path: '/operators/:id/sign-in-link',
    summary: {
      en: 'Make a new link by which an operator signs in; the one before ends',
      ru: 'Выдать оператору новую ссылку для входа; прежняя перестаёт действовать',
    },
    auth: 'operator',
    roles: owner,
    limit: 'none',
    request: { params: ById },
    response: { 201: Closed({ sign_in_link: SignInLink, expires_at: LinkExpiresAt }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    reauthenticates: true,
    audit: { subject: 'operator' },
  },
})
