import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, field, Id, maxId, Nullable, Text } from '../shapes.ts'
import { DesiredState } from './agent.ts'
import { Report } from './report.ts'

/** What a node's agent calls. */

/** Enough for a report about 5000 accesses. */
const reportBodyLimitBytes = 1024 * 1024

/**
 * What one node may ask, in short windows, so that an agent which meets a limit is not kept from its state for long. An agent
 * that keeps to one question at a time asks half as often when everything changes at once: five times a second while something
 * is tried, after each change, and a report for each of these.
 */
const pollLimit = per(100, 10)
const reportLimit = per(60, 10)
const verdictLimit = per(200, 10)

export const agent = table({
  enrolNode: {
    method: 'POST',
    path: '/enrol',
    summary: {
      en: "Exchange a one-time enrolment token for the node's identity, bound to its public key",
      ru: 'Обменять одноразовый токен на личность узла, связанную с его открытым ключом',
    },
    auth: 'public',
    limit: { points: 60, seconds: 60 },
    request: {
      body: Closed({
        token: field(Text(1, 128), {
          en: 'The one-time enrolment token that the operator was shown',
          ru: 'Одноразовый токен подключения, показанный оператору',
          example: '7hQ2mX9cKd3VbN5tRw8yZa1B2c3D4e5F',
        }),
        public_key: field(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }), {
          en: 'Ed25519 public key: the x of its JWK',
          ru: 'Открытый ключ Ed25519: x его JWK',
          example: 'mKq1cXJ6dEw0u8mS3tYv5yB7pR9zN2aL4fH6gD8kT0o',
        }),
      }),
    },
    response: { 201: Closed({ node_id: Id }) },
    errors: [],
  },
  pollState: {
    method: 'GET',
    path: '/state',
    summary: {
      en: 'Desired state newer than `since`; waits up to `wait_seconds` for a change. A newer call of the node ends this one',
      ru: 'Желаемое состояние новее `since`; ждёт изменений до `wait_seconds`. Новый запрос того же узла завершает прежний',
    },
    auth: 'agent',
    limit: pollLimit,
    request: {
      query: Closed({
        since: field(Type.Integer({ minimum: 0, maximum: maxId }), {
          en: 'The revision already applied',
          ru: 'Ревизия, которая уже применена',
        }),
        wait_seconds: field(Type.Optional(Type.Integer({ minimum: 0, maximum: 60 })), {
          en: 'How long to wait for a change',
          ru: 'Сколько ждать изменений',
        }),
      }),
    },
    response: { 200: DesiredState },
    errors: ['CONFLICT'],
  },
  report: {
    method: 'POST',
    path: '/report',
    summary: {
      en: 'Heartbeat: applied revision, engine health, host stats and traffic counters',
      ru: 'Отчёт узла: применённая ревизия, движки, нагрузка и счётчики трафика',
    },
    auth: 'agent',
    limit: reportLimit,
    request: { body: Report },
    response: { 200: Closed({ desired_revision: Type.Integer() }) },
    errors: [],
    bodyLimitBytes: reportBodyLimitBytes,
  },
  answerTrial: {
    method: 'POST',
    path: '/trials/:id',
    summary: {
      en: "The engine's verdict on a configuration that waits to be tried",
      ru: 'Решение движка о конфигурации, которая ждёт проверки',
    },
    auth: 'agent',
    limit: verdictLimit,
    request: {
      params: Closed({ id: Id }),
      body: Closed({ is_accepted: Type.Boolean(), reason: field(Nullable(Text(0, 500)), { example: null }) }),
    },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
})
