import Type from 'typebox'
import { table } from '../../operation.ts'
import { Closed } from '../../shapes.ts'
import { PaymentMethodRow } from './payment-methods.ts'

/** Part of the catalogue: its beginning. */
export const setupRows = table({
  setUp: {
    method: 'POST',
    path: '/setup',
    summary: {
      en: 'Begin with the usual payment methods, those on that a configured provider takes; for an empty service only',
      ru: 'Начать с обычных способов оплаты: включены те, что принимает настроенный провайдер; только для пустого сервиса',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {},
    response: { 201: Closed({ payment_methods: Type.Array(PaymentMethodRow) }) },
    errors: ['CONFLICT'],
    idempotent: true,
    audit: { subject: 'setup' },
  },
})
