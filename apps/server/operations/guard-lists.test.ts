import { type ContractOperation, operationsOf, type TableName, tablesFor } from '@sallyport/contract/tables'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { owners } from '../../../test/support/one-of-everything.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'

/** Walks every list of operators: each is read by pages in the same way. */

let service: TestService
const ids: Record<string, Readonly<Record<string, unknown>>> = {}
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  for (const table of tablesFor('operator')) {
    // Two of everything that has no owner.
    for (let n = 0; n < 2; n++)
      ids[table.name] = (await owners[table.name as TableName]?.(service))?.ids ?? {}
  }
  await addSeconds()
})
afterAll(() => service.stop())

/** A second of what the same owner has. */
const addSeconds = async (): Promise<void> => {
  const now = service.clock.now()
  const of = (table: string, name: string) => ids[table]?.[name] as number
  const user = of('operator-people', 'users/:id')
  const operator = of('operator-staff', 'operators/:id')
  const webhook = of('operator-webhooks', 'webhooks/:id')
  const event = { user_id: user, kind: 'signed_in', details: '{}', created_at: now }
  await service.db.insertInto('account_events').values([event, event]).execute()
  const option = { product_type: 'paid_options', product_id: 2, days: 1, reason: 'to have two' }
  const made = [
    await service.operator('POST', `/users/${user}/pricing-rules`, { type: 'configs', percent: 5 }),
    await service.operator('POST', `/users/${of('operator-paid-options', 'users/:id')}/grants`, option),
    await service.operator('POST', `/operators/${operator}/tokens`, { title: 'second' }),
    await service.operator('POST', '/webhooks', { url: 'https://crm.example.com/', events: ['node.online'] }),
    await service.operator('POST', `/webhooks/${webhook}/test`),
    await service.operator('POST', `/webhooks/${webhook}/test`),
  ]
  for (const { status, body } of made) expect(status, JSON.stringify(body)).toBeLessThan(300)
}

interface Schema {
  readonly type?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

const queryOf = ({ row }: ContractOperation): readonly string[] =>
  Object.keys((row.request.query as Schema | undefined)?.properties ?? {})

const answerOf = ({ row }: ContractOperation) => row.response[200] as Schema

/** Answers of one call that happen to be arrays. */
const noLists: Readonly<Record<string, string>> = {
  diagnoseUser: 'the same checks for everybody, in the order in which they matter',
  showNodeLoad: 'figures from one time to another',
  listOperatorSessions:
    'where one is signed in oneself: all of it, and it ends by itself within twelve hours',
}
/** Rows without ids, of which there are few: only how many can be said. */
const named: Readonly<Record<string, string>> = {
  listRates: 'one row a currency',
  listDeliveryTemplates: 'one row a format',
  listMachineTypes: 'what a provider has, by its own names',
  listUserPrices: 'what the catalogue costs a customer, reckoned anew each time',
}

const gets = [...operationsOf(tablesFor('operator'))].filter(({ row }) => row.method === 'GET')
const lists = gets.filter((operation) => answerOf(operation).type === 'array' && !(operation.name in noLists))
const byName = (found: readonly ContractOperation[]): [string, ContractOperation][] =>
  found.map((operation) => [operation.name, operation])

test('exceptions are named as they are', () => {
  const names = gets.map(({ name }) => name as string)
  for (const name of Object.keys({ ...noLists, ...named })) expect(names).toContain(name)
  expect(lists.length).toBeGreaterThan(25)
})

test.each(byName(lists))('%s says how it is read by pages', (name, operation) => {
  const { id, term_id } = answerOf(operation).items?.properties ?? {}
  const hasIds = (id ?? term_id) !== undefined
  expect(hasIds).toBe(!(name in named))
  expect(queryOf(operation)).toEqual(expect.arrayContaining(name in named ? ['limit'] : ['limit', 'before']))
})

test('whatever has its rows in items goes on by a cursor', () => {
  const sorted = gets.filter((operation) => answerOf(operation).properties?.items)
  expect(sorted).not.toEqual([])
  for (const operation of sorted) {
    expect(queryOf(operation)).toEqual(expect.arrayContaining(['limit', 'sort', 'cursor']))
    expect(Object.keys(answerOf(operation).properties ?? {})).toContain('next_cursor')
  }
})

const needed: Readonly<Record<string, () => string>> = {
  listUserPrices: () => `user_id=${ids['operator-people']?.['users/:id']}`,
}

const addressOf = ({ name, row, table }: ContractOperation, query: string): string => {
  const known = ids[table.name] ?? {}
  const path = row.path.replaceAll(/(?<=([^/]+)\/):(\w+)/g, (_, before, id) => {
    const value = known[`${before}/:${id}`] ?? known[id]
    if (value === undefined) throw new Error(`${name} has no ${before}/:${id}`)
    return String(value)
  })
  return `${path}?${[needed[name]?.(), query].filter(Boolean).join('&')}`
}

const ask = (operation: ContractOperation, query = '') => service.operator('GET', addressOf(operation, query))

interface Row {
  readonly id: number
}

const rowsOf = async (operation: ContractOperation, query?: string): Promise<Row[]> => {
  const { status, body } = await ask(operation, query)
  expect(status, `${operation.name} ${query}: ${JSON.stringify(body)}`).toBe(200)
  return body.data.map((row: { id?: number; term_id?: number }) => ({ ...row, id: row.id ?? row.term_id }))
}

const walked = lists.filter(({ row, name }) => row.auth === 'operator' && !(name in named))

test.each(byName(walked))('%s goes back in time page by page', async (_name, operation) => {
  const all = (await rowsOf(operation, 'limit=500')).map(({ id }) => id)
  expect(all).toEqual(all.toSorted((one, other) => other - one))
  expect(all.length).toBeGreaterThan(1)
  const [newest, second] = all
  expect((await rowsOf(operation, 'limit=1')).map(({ id }) => id)).toEqual(all.slice(0, 1))
  const older = await rowsOf(operation, `limit=1&before=${newest}`)
  expect(older.map(({ id }) => id)).toEqual([second])
  const rest = await rowsOf(operation, `before=${newest}`)
  expect(rest.map(({ id }) => id)).toEqual(all.slice(1, 51))
  for (const wrong of ['limit=0', 'limit=501', 'before=0', 'limit=one']) {
    expect((await ask(operation, wrong)).status, wrong).toBe(400)
  }
})

test.each(
  byName(lists.filter(({ name }) => name in named)),
)('%s gives as many as are wanted', async (_name, operation) => {
  const all = await rowsOf(operation)
  expect(await rowsOf(operation, 'limit=1')).toEqual(all.slice(0, 1))
  expect((await ask(operation, 'limit=501')).status).toBe(400)
})

/** They are read whole by programs that look for something in them. */
test.each([
  '/locations',
  '/nodes',
  '/payment-methods',
  '/paid-options',
  '/clouds',
  '/webhooks',
])('%s without a page has all of it, the oldest first', async (path) => {
  const numbers: number[] = (await service.operator('GET', path)).body.data.map(({ id }: Row) => id)
  expect(numbers.length).toBeGreaterThan(1)
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
})
