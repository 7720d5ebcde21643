import { expect, test } from 'vitest'
import { optionProblem } from './sale-problem.ts'

const servers = [3, 5].map((server_id, index) => ({ server_id, index }))
const paid = { problem: null }
const unpaid = { problem: 'cannot be sold, because nobody can pay with sbp now; see GET /payment-methods' }
const closed = { server_id: 3, state: 'closed' }
const draining = { server_id: 5, state: 'draining' }

test.each([
  ['all sell', { servers, shut: [] }, [paid], null],
  ['one tariff can be paid', { servers, shut: [] }, [unpaid, paid], null],
  ['no servers', { servers: [], shut: [] }, [paid], 'it has no servers'],
  ['one is closed', { servers, shut: [closed] }, [paid], 'its server 3 (closed) takes no new customers'],
  [
    'none sells',
    { servers, shut: [closed, draining] },
    [unpaid],
    'its servers 3 (closed), 5 (draining) take no new customers',
  ],
  ['no tariffs', { servers, shut: [] }, [], 'it has no tariffs'],
  [
    'no tariff can be paid',
    { servers, shut: [] },
    [unpaid, unpaid],
    'none of its tariffs can be paid for now; see GET /payment-methods',
  ],
])('%s', (_name, row, tariffs, reason) => {
  expect(optionProblem(row, tariffs)).toBe(reason && `cannot be sold, because ${reason}`)
})
