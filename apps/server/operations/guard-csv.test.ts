import { type ContractOperation, operationsOf, type TableName, tablesFor } from '@sallyport/contract/tables'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { owners } from '../../../test/support/one-of-everything.ts'
import { rich } from '../../../test/support/owners/customers.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'

/** Walks every list that is a table for table programs: all of it, whatever the limit, and nothing that such a program runs. */

/** A customer whose address is a formula, and who is in every list. */
const formula = '=cmd|calc!a1@example.com'

/** Those that have lists of what is not made by buying. */
const tablesInUse: readonly TableName[] = [
  'operator-money',
  'operator-figures',
  'operator-fleet',
  'operator-clouds',
  'operator-people',
  'operator-settings',
]

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  for (const table of tablesInUse) {
    for (let n = 0; n < 2; n++) await owners[table]?.(service)
  }
  const customer = await service.createUser({ ...rich, email: formula })
  await service.buy(customer)
  const card = { amount: 1000, card_number: '4111111111111111' }
  await service.customer(customer, 'POST', '/profile/referral/withdraw/card', card)
  // More than one page, of which the table is put together.
  await service.operator('POST', '/promocodes', { product_type: 'configs', days: 30, count: 600 })
  await service.running.runJobs()
})
afterAll(() => service.stop())

interface Schema {
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

const tables = [...operationsOf(tablesFor('operator'))].filter(({ row }) => row.csv)
const namesIn = (schema: Schema | undefined): string[] => Object.keys(schema?.properties ?? {})
const queryOf = ({ row }: ContractOperation) => namesIn(row.request.query as Schema | undefined)
const rowOf = ({ row }: ContractOperation): Schema => {
  const answer = row.response[200] as Schema
  const list = answer.properties?.items ?? answer.properties?.rows ?? answer
  return list.items as Schema
}

test('these are tables, and no others', () => {
  const statistics = ['sales', 'customers', 'traffic', 'fleet'].map((part) => `/statistics/${part}`)
  const money = ['orders', 'payments', 'withdrawals', 'promocodes', 'ledger']
  const fleet = ['nodes', 'nodes/:id/load', 'servers', 'cloud-servers', 'alerts']
  const lists = ['users', 'broadcasts', 'audit', ...money, ...fleet].map((part) => `/${part}`)
  expect(tables.map(({ row }) => row.path).toSorted()).toEqual([...lists, ...statistics].toSorted())
})

const ask = async (path: string, accept: string) => {
  const headers = { accept, authorization: `Bearer ${service.operatorToken}` }
  const answer = await fetch(`${service.running.url}/operator/v1${path}`, { headers })
  expect(answer.status, path).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

/** Cells of a table, by the rules of RFC 4180. */
const cellsOf = (text: string): string[][] => {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  expect(rows.pop()).toEqual([''])
  return rows
}

/** All rows of a list, page by page. */
const listed = async (operation: ContractOperation): Promise<object[]> => {
  const isPaged = queryOf(operation).includes('limit')
  const found: { id?: number }[] = []
  for (let next = ''; ; ) {
    const page = isPaged ? `?limit=500${next}` : ''
    const { data } = JSON.parse(String(await ask(`${operation.row.path}${page}`, 'application/json')))
    found.push(...(data.items ?? data.rows ?? data))
    const isLast = !isPaged || (Array.isArray(data) ? data.length < 500 : data.next_cursor === null)
    if (isLast) return found
    next = Array.isArray(data) ? `&before=${found.at(-1)?.id}` : `&cursor=${data.next_cursor}`
  }
}

const written = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  return typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
}

/** Of one thing is tested beside it. */
const byName = tables
  .filter(({ row }) => !row.path.includes(':'))
  .map((operation): [string, ContractOperation] => [operation.name, operation])

test.each(byName)('%s is all of the list, whatever the limit', async (_name, operation) => {
  const { path } = operation.row
  const limit = queryOf(operation).includes('limit') ? '?limit=1' : ''
  const bytes = await ask(`${path}${limit}`, 'text/csv')
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [head, ...rows] = cellsOf(bytes.subarray(3).toString())
  const names = namesIn(rowOf(operation))
  expect(head).toEqual(names)
  const all = (await listed(operation)) as Record<string, unknown>[]
  expect(all.length).toBeGreaterThan(1)
  expect(rows).toEqual(all.map((row) => names.map((name) => written(row[name]))))
})

test.each(
  byName.filter(([, operation]) => namesIn(rowOf(operation)).includes('email')),
)('%s runs nothing that a customer wrote', async (_name, operation) => {
  const text = String(await ask(operation.row.path, 'text/csv'))
  expect(text).toContain(`'${formula}`)
  expect(text.replaceAll(`'${formula}`, '')).not.toContain(formula)
})
