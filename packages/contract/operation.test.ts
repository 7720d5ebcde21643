import { expect, test } from 'vitest'
import { table } from './operation.ts'
import { Closed } from './shapes.ts'
import { allOperations } from './tables.ts'

const row = {
  path: '/things/:id',
  summary: { en: 'Change a thing', ru: 'Изменить вещь' },
  limit: 'none',
  request: {},
  response: { 200: Closed({}) },
  errors: [],
} as const

const write = { ...row, method: 'PATCH', auth: 'operator' } as const
const read = { ...row, method: 'GET', auth: 'operator' } as const
const byCustomer = { ...row, method: 'PATCH', auth: 'customer' } as const
const audit = { subject: 'thing' } as const

test('an operator’s write that leaves nothing in the audit log does not compile', () => {
  table({ read, byCustomer, write: { ...write, audit } })
  // @ts-expect-error it does not say what it leaves
  table({ write })
  // @ts-expect-error nor is it found out when others do
  table({ first: { ...write, audit }, write, read })
})

test('what changes nothing, or is not done by an operator, is not in the audit log', () => {
  // @ts-expect-error a read
  table({ read: { ...read, audit } })
  // @ts-expect-error a customer’s own
  table({ byCustomer: { ...byCustomer, audit } })
})

test('every operator’s write says what it leaves in the audit log, and nothing else does', () => {
  const all = [...allOperations()]
  const audited = all.filter(({ row: { audit: rule } }) => rule).map(({ name }) => name)
  const writes = all.filter(({ row: { auth, method } }) => auth === 'operator' && method !== 'GET')
  expect(audited).toEqual(writes.map(({ name }) => name))
  expect(audited.length).toBeGreaterThan(35)
})
