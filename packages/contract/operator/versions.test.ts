import { expect, test } from 'vitest'
import { type ContractOperation, operationsOf, tablesFor } from '../tables.ts'

/** What several operators may change at once carries a version, and whoever changes it may send the one they have seen. */

interface Schema {
  readonly type?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

const operations = [...operationsOf(tablesFor('operator'))]
const changes = operations.filter(({ row }) => row.method === 'PATCH' || row.method === 'PUT')

/** Of lists their rows. */
const rowOf = (schema: Schema | undefined): Readonly<Record<string, Schema>> => {
  const inside = schema?.items ?? schema?.properties?.items
  return inside ? rowOf(inside) : (schema?.properties ?? {})
}
const answerOf = ({ row }: ContractOperation) => rowOf(row.response[200] as Schema)

/** Everything that shows what is changed there: itself, and the list that it is in. */
const shownBy = (path: string): readonly ContractOperation[] => {
  const list = path.replace(/\/:\w+$/, '')
  return operations.filter(({ row }) => row.method === 'GET' && (row.path === path || row.path === list))
}

/** Answers that say only that it is done. */
const onlyDone: Readonly<Record<string, string>> = {
  blockUser: 'an older row that answers true; the version is that of GET /users and GET /users/:id',
}

test('operators change things', () => {
  expect(changes.length).toBeGreaterThan(12)
  const names = changes.map(({ name }) => name as string)
  for (const name of Object.keys(onlyDone)) expect(names).toContain(name)
})

test.each(
  changes.map((change): [string, ContractOperation] => [change.name, change]),
)('%s takes the version that was seen', (name, change) => {
  const { row } = change
  expect(Object.keys((row.request.body as Schema).properties ?? {})).toContain('version')
  expect(row.errors).toContain('CONFLICT')
  if (name in onlyDone) return
  expect(Object.keys(answerOf(change))).toContain('version')
  const shown = shownBy(row.path)
  expect(shown, `${row.path} is shown somewhere`).not.toEqual([])
  for (const one of shown) expect(Object.keys(answerOf(one)), one.name).toContain('version')
})
