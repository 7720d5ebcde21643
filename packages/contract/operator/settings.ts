import Type from 'typebox'
import { table } from '../operation.ts'
import { Closed, CreatedAt, field, Id, Nullable, Text } from '../shapes.ts'
import { Prose } from '../visible-text.ts'
import {
  Anything,
  ById,
  fleetReaders,
  money,
  NotYet,
  optionally,
  page,
  SeenVersion,
  Version,
} from './shapes.ts'

/** The operator's daily work: settings, alerts and what was done by whom. */

const settings = {
  referral_percent: field(Type.Integer({ minimum: 0, maximum: 100 }), {
    en: 'Percent of money from outside that goes to who invited',
    ru: 'Сколько процентов внешних платежей достаётся пригласившему',
    example: 20,
  }),
  referral_hold_days: field(Type.Integer({ minimum: 0, maximum: 365 }), {
    en: 'How many days earnings are held',
    ru: 'Сколько дней заработок заморожен',
    example: 14,
  }),
  time_zone: field(Text(1, 64), {
    en: 'Whose days and hours figures are of',
    ru: 'По какому времени считаются дни и часы в отчётах',
    example: 'Europe/Moscow',
  }),
  two_person_amount: field(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })), {
    en: 'Withdrawals above so many roubles need two different people; null is none. Raising it does not hold for what was requested before',
    ru: 'Выводы больше этой суммы в рублях подтверждают два разных человека; null — никакие. Повышение не действует на уже запрошенные выводы',
    example: null,
  }),
}
const Settings = Closed({ ...settings, version: Version })

export const operatorSettings = table({
  showSettings: {
    method: 'GET',
    path: '/settings',
    summary: { en: 'What can be changed while the service runs', ru: 'Что можно менять на ходу' },
    auth: 'operator',
    limit: 'none',
    request: {},
    response: { 200: Settings },
    errors: [],
  },
  changeSettings: {
    method: 'PATCH',
    path: '/settings',
    summary: {
      en: 'Change settings; what is left out stays',
      ru: 'Изменить настройки; неназванное остаётся как было',
    },
    auth: 'operator',
    roles: money,
    limit: 'none',
    request: {
      body: Closed({ ...optionally(settings), version: SeenVersion }),
    },
    example: { body: { referral_percent: 25 } },
    response: { 200: Settings },
    errors: ['CONFLICT'],
    reauthenticates: true,
    audit: { subject: 'settings' },
  },
  listAlerts: {
    method: 'GET',
    path: '/alerts',
    summary: {
      en: 'What only a person can put right, newest first; technicians see what is about machines',
      ru: 'То, что может исправить только человек, сначала новое; техник видит то, что о машинах',
    },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: {
      query: Closed({
        ...page,
        is_open: field(Type.Optional(Type.Boolean()), {
          en: 'true: unresolved; false: resolved',
          ru: 'true — нерешённые, false — решённые',
        }),
        is_taken: field(Type.Optional(Type.Boolean()), {
          en: 'true: somebody deals with it; false: nobody does yet',
          ru: 'true — кто-то уже занимается, false — пока никто',
        }),
        taken_by: field(Type.Optional(Id), {
          en: 'Only what this operator deals with',
          ru: 'Только то, чем занимается этот оператор',
        }),
      }),
    },
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          kind: field(Type.String(), { example: 'wrong_amount' }),
          subject: field(Type.String(), { example: 'payment:42' }),
          details: field(Anything, { example: { expected: 200, received: 150 } }),
          text_ru: field(Type.String(), {
            en: 'What it means and what to do, in Russian',
            ru: 'Что это значит и что делать, по-русски',
            example:
              'Пришла оплата на другую сумму или в другой валюте; деньги отложены. Зачислите их клиенту на баланс или верните у провайдера.',
          }),
          text_en: field(Type.String(), {
            en: 'What it means and what to do, in English',
            ru: 'Что это значит и что делать, по-английски',
            example:
              'Money came in another amount or currency than ordered, and was put aside. Credit it to the customer, or give it back at the provider.',
          }),
          created_at: CreatedAt,
          resolved_at: NotYet,
          resolved_by: field(Nullable(Id), { example: null }),
          taken_by: field(Nullable(Id), {
            en: 'The operator who deals with it; null is nobody yet',
            ru: 'Кто из операторов этим занимается; null — пока никто',
            example: 2,
          }),
          taken_by_name: field(Nullable(Type.String()), { example: 'olga' }),
        }),
      ),
    },
    errors: [],
    csv: true,
  },
  takeAlert: {
    method: 'POST',
    path: '/alerts/:id/take',
    summary: {
      en: 'Say that you deal with it, be it instead of somebody else, or that you do no longer',
      ru: 'Взять на себя, в том числе вместо другого, или отдать',
    },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: { params: ById, body: Closed({ is_taken: field(Type.Boolean(), { example: true }) }) },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'alert' },
  },
  resolveAlert: {
    method: 'POST',
    path: '/alerts/:id/resolve',
    summary: { en: 'Put right; say how', ru: 'Отметить исправленным и сказать, как' },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: { params: ById, body: Closed({ comment: Type.Optional(Prose(1, 500)) }) },
    example: { body: { comment: 'refunded by hand' } },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
    audit: { subject: 'alert' },
  },
  listAudit: {
    method: 'GET',
    path: '/audit',
    summary: {
      en: 'Every change operators made, newest first',
      ru: 'Все изменения, сделанные операторами, сначала новые',
    },
    auth: 'operator',
    limit: 'none',
    request: {
      query: Closed({
        ...page,
        action: Type.Optional(Text(1, 64)),
        subject: Type.Optional(Text(1, 128)),
        operator_id: Type.Optional(Id),
      }),
    },
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          operator_id: Id,
          operator: field(Type.String(), { example: 'olga' }),
          action: field(Type.String(), { example: 'adjustBalance' }),
          subject: field(Type.String(), { example: 'user:7' }),
          details: field(Anything, {
            example: { account: 'wallet', amount: 300, reason: 'two days without a server' },
          }),
          created_at: CreatedAt,
        }),
      ),
    },
    errors: [],
    csv: true,
  },
})
