import { allOperations, type ContractOperation, type TableName } from '@sallyport/contract/tables'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { owners } from '../../../test/support/one-of-everything.ts'
import type { Owner } from '../../../test/support/owners/owner.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { bodyExample } from './docs/examples.ts'

/** Walks every number of every request: each has a least and a most, and none of them breaks anything. */

interface Schema {
  readonly type?: string
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly const?: unknown
  readonly stated?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface NumberAt {
  readonly operation: ContractOperation
  readonly part: 'params' | 'query' | 'body'
  readonly path: readonly (string | number)[]
  readonly schema: Schema
}

type Found = Pick<NumberAt, 'path' | 'schema'>

const numbersIn = (schema: Schema, path: readonly (string | number)[] = []): Found[] => [
  ...(schema.type === 'integer' || schema.type === 'number' ? [{ path, schema }] : []),
  ...(schema.anyOf ?? []).flatMap((one) => numbersIn(one, path)),
  ...(schema.items ? numbersIn(schema.items, [...path, 0]) : []),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => numbersIn(one, [...path, name])),
  ...Object.values(schema.patternProperties ?? {}).flatMap((one) => numbersIn(one, [...path, 'anything'])),
]

const parts = ['params', 'query', 'body'] as const
const numbers: NumberAt[] = [...allOperations()].flatMap((operation) =>
  parts.flatMap((part) =>
    numbersIn((operation.row.request[part] ?? {}) as Schema).map((found) => ({ operation, part, ...found })),
  ),
)
const titled = (at: NumberAt): [string, NumberAt] => [
  `${at.operation.name}: ${at.part} ${at.path.join('.')}`,
  at,
]

test('every number that is taken has a least and a most', () => {
  expect(numbers.length).toBeGreaterThan(250)
  const isBounded = ({ const: only, minimum, exclusiveMinimum, maximum }: Schema): boolean =>
    only !== undefined || ((minimum ?? exclusiveMinimum) !== undefined && maximum !== undefined)
  const open = numbers.filter(({ schema }) => !isBounded({ ...schema, ...schema.stated }))
  expect(open.map((at) => titled(at)[0])).toEqual([])
})

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const kept = new Map<string, Promise<Owner>>()

const makeOwner = async ({ table }: ContractOperation): Promise<Owner> => {
  const make = owners[table.name as TableName]
  if (make) return make(service)
  const isOperators = table.audience === 'operator'
  return { token: isOperators ? service.operatorToken : (await service.createUser()).session_token, ids: {} }
}

/** One a table; agents' tokens are short-lived. */
const ownerOf = (operation: ContractOperation): Promise<Owner> => {
  const known = kept.get(operation.table.name)
  if (known && operation.table.audience !== 'agent') return known
  const made = makeOwner(operation)
  kept.set(operation.table.name, made)
  return made
}

/** What was there, with another value in one place. */
const replaced = (
  given: unknown,
  [first, ...rest]: readonly (string | number)[],
  value: unknown,
): unknown => {
  if (first === undefined) return value
  if (typeof first === 'number') return [replaced((given as unknown[] | undefined)?.[0], rest, value)]
  const fields = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}
  return { ...fields, [first]: replaced(fields[first], rest, value) }
}

const send = async ({ operation, part, path }: NumberAt, owner: Owner, value: number) => {
  const { row, base } = operation
  const params = [...row.path.matchAll(/(?<=([^/]+)\/):(\w+)/g)].map(([, before, name = '']) => {
    const id = owner.ids[`${before}/:${name}`] ?? owner.ids[name] ?? 1
    return [name, part === 'params' && path[0] === name ? value : id] as const
  })
  const address = params.reduce((made, [name, one]) => made.replace(`:${name}`, String(one)), row.path)
  const query = new URLSearchParams(row.example?.query as Record<string, string> | undefined)
  if (part === 'query') query.set(String(path[0]), String(value))
  const example = bodyExample(operation, 'en')
  const body = part === 'body' ? replaced(example, path, value) : example
  const token = row.auth === 'public' || row.auth === 'visitor' ? undefined : owner.token
  return service.call(row.method, `${base}${address}?${query}`, {
    ...(token && { token }),
    ...(owner.headers && { headers: owner.headers }),
    ...(body !== undefined && { body }),
  })
}

/** Beyond what can be counted, stored or meant. */
const values = [2 ** 53, 1e300, -1, 0.5]

describe.each(numbers.map(titled))('%s', (_title, at) => {
  test('may be anything', async () => {
    await service.heartbeat()
    const owner = await ownerOf(at.operation)
    for (const value of values) {
      const { status, body } = await send(at, owner, value)
      expect([500, 502, 503, 504, 401], `${value}: ${JSON.stringify(body)}`).not.toContain(status)
    }
  })
})
