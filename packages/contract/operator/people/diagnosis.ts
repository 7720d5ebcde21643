import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed, field } from '../../shapes.ts'
import { ByUser } from '../shapes.ts'

/** In the order in which they are looked at: the first problem is the reason. */
export const diagnosisChecks = [
  'account',
  'term',
  'payment',
  'access',
  'placement',
  'node',
  'engine',
  'limit',
  'devices',
  'last_fetch',
  'last_traffic',
] as const
export type DiagnosisCheck = (typeof diagnosisChecks)[number]

/** Part of the operator's work with people: what is wrong with one of them. */
export const diagnosisRows = table({
  diagnoseUser: {
    method: 'GET',
    path: '/users/:id/diagnosis',
    summary: {
      en: 'Why it does not work for a customer: everything that it takes, in order; the first problem is the reason',
      ru: 'Почему у клиента не работает: всё, что для этого нужно, по порядку; первая проблема и есть причина',
    },
    auth: 'operator',
    limit: 'none',
    request: { params: ByUser },
    response: {
      200: Type.Array(
        Closed({
          check: field(Type.Enum([...diagnosisChecks]), { example: 'node' }),
          state: field(Type.Enum(['ok', 'problem', 'unknown']), { example: 'problem' }),
          text_ru: field(Type.String(), { example: 'Узел de-1 молчит с 2026-01-01 00:00 UTC.' }),
          text_en: field(Type.String(), { example: 'Node de-1 is silent since 2026-01-01 00:00 UTC.' }),
          operation: field(Type.Optional(Type.String()), {
            en: 'Name of an operation that puts it right',
            ru: 'Название операции, которая это исправит',
            example: 'createEnrolment',
          }),
          subject: field(Type.Optional(Type.String()), {
            en: 'What it is about, as in the audit log',
            ru: 'О чём речь, как в журнале',
            example: 'node:2',
          }),
        }),
      ),
    },
    errors: ['NOT_FOUND'],
  },
})
