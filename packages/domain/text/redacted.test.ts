import { expect, test } from 'vitest'
import { redacted } from './redacted.ts'

test('hides what opens doors, wherever it stands, and numbers of cards', () => {
  const event = {
    event: 'payment.succeeded',
    object: {
      id: '2e8f0c1a-000f-5000-8000-1b2c3d4e5f60',
      amount: { value: '200.00', currency: 'RUB' },
      payment_method: { card: { number: '4111111111111111', last4: '1111' }, accessToken: 'abc' },
      notes: ['card 4111 1111 1111 1111', null, 7],
    },
    client_secret: 'x',
    signature: null,
  }
  expect(redacted(event)).toEqual({
    event: 'payment.succeeded',
    object: {
      id: '2e8f0c1a-000f-5000-8000-1b2c3d4e5f60',
      amount: { value: '200.00', currency: 'RUB' },
      payment_method: { card: { number: '•••', last4: '1111' }, accessToken: '•••' },
      notes: ['card •••1111', null, 7],
    },
    client_secret: '•••',
    signature: null,
  })
})
