import { errors } from '@sallyport/contract/errors'
import { allOperations, type ContractOperation, type TableName } from '@sallyport/contract/tables'
import { Check } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { owners } from '../../../test/support/one-of-everything.ts'
import type { OptionId, Owner } from '../../../test/support/owners/owner.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { resourcesIn } from '../core/resource-lookup.ts'
import { bodyExample } from './docs/examples.ts'

/** Walks every parameter of every path: what is somebody else's is as if it were not there. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

interface Place {
  readonly operation: ContractOperation
  readonly parameter: string
  /** With what stands before it in the path. */
  readonly key: string
  /** The first thing of a path; those after it belong to it. */
  readonly isFirst: boolean
}

const placesOf = (operation: ContractOperation): Place[] =>
  [...operation.row.path.matchAll(/(?<=([^/]+)\/):(\w+)/g)].map(([, before, parameter = ''], index) => {
    return { operation, parameter, key: `${before}/:${parameter}`, isFirst: index === 0 }
  })

/** Known by name to everybody, and nobody's. */
const names = ['oauth/:provider', 'rates/:currency', 'templates/:kind']

/** Places within what the rest of the path names. */
const indexes = ['titles/:index', 'stats/:index']

const titled = (place: Place): [string, Place] => {
  const { operation, key } = place
  return [`${operation.name}: ${operation.row.method} ${operation.base}${operation.row.path}, ${key}`, place]
}
const places = [...allOperations()].flatMap(placesOf)
const named = places.filter(({ key }) => names.includes(key)).map(titled)
const owned = places.filter(({ key }) => ![...names, ...indexes].includes(key)).map(titled)

const ownerFor = ({ operation, key }: Place, option: OptionId = 2): Promise<Owner> => {
  const make = owners[operation.table.name as TableName]
  if (make) return make(service, option)
  const need = `an owner for the table "${operation.table.name}" that has "${key}"`
  throw new Error(`${operation.name}: give test/support/one-of-everything.ts ${need}`)
}

/** For whoever only reads, or asks for what is not there, or wrongly: nothing changes, so one does for a whole table. */
const lasting = new Map<string, Promise<Owner>>()
const lastingOwnerFor = (place: Place, option: OptionId): Promise<Owner> => {
  const key = `${option} of ${place.operation.table.name}`
  const owner = lasting.get(key) ?? ownerFor(place, option)
  lasting.set(key, owner)
  return owner
}

const idOf = ({ operation, parameter, key }: Place, { ids }: Owner): number | string => {
  const id = ids[key] ?? ids[parameter]
  if (id !== undefined) return id
  const where = `the owner of the table "${operation.table.name}" in test/support/one-of-everything.ts`
  throw new Error(`${operation.name}: give ${where} the id of something under "${key}"`)
}

interface Said {
  readonly body?: unknown
  readonly query?: Record<string, string> | undefined
}

const usualRequest = (operation: ContractOperation): Said => ({
  body: bodyFor(operation),
  query: operation.row.example?.query as Record<string, string> | undefined,
})

/** The operation as the owner calls it, with another value in one place. */
const callAs = (
  owner: Owner | undefined,
  at: Place,
  value?: unknown,
  { body, query }: Said = usualRequest(at.operation),
) => {
  const { operation, parameter } = at
  const values = placesOf(operation).map((place): [string, unknown] =>
    place.parameter === parameter && value !== undefined
      ? [parameter, value]
      : [place.parameter, owner && idOf(place, owner)],
  )
  const path = values.reduce((made, [name, one]) => made.replace(`:${name}`, String(one)), operation.row.path)
  return service.call(operation.row.method, `${operation.base}${path}?${new URLSearchParams(query)}`, {
    ...(owner && { token: owner.token }),
    ...(owner?.headers && { headers: owner.headers }),
    ...(body !== undefined && { body }),
  })
}

/** Where the example of the reference is cut short for readers. */
const wholeBodies: Readonly<Record<string, unknown>> = {
  changeXrayConfig: { xray_config: '{}' },
  changeOptionXrayConfig: { xray_config: '{}' },
}

const bodyFor = (operation: ContractOperation): unknown =>
  wholeBodies[operation.name] ?? bodyExample(operation, 'en')

/** Devices have an error of their own, also beside something that has the usual one. */
const declaredMissing = ({ operation: { row, name }, parameter }: Place) => {
  const missing = row.errors.filter((error) => errors[error].status === 404)
  const isDevice = ['device_id', 'deviceId'].includes(parameter)
  const ofDevice = missing.filter((error) => (error === 'DEVICE_NOT_FOUND') === isDevice)
  const one = missing.length > 1 ? ofDevice : missing
  expect(one, `${name} has things in its path, and one error for when they are not there`).toHaveLength(1)
  const [error = 'NOT_FOUND'] = one
  return { status: false, statusCode: 404, errorCode: errors[error].code, message: error }
}

test('paths name things', () => {
  expect(owned.length).toBeGreaterThan(35)
  expect(named.length).toBeGreaterThan(3)
})

test.each(owned)('check 2: %s', async (_title, place) => {
  const missing = declaredMissing(place)
  const mine = await lastingOwnerFor(place, 1)
  const isRead = place.operation.row.method === 'GET'
  const theirs = await (isRead ? lastingOwnerFor(place, 2) : ownerFor(place))
  expect((await callAs(mine, place, 999_999_999)).body).toEqual(missing)
  if (typeof idOf(place, mine) === 'number') {
    expect(await callAs(mine, place, 'abc')).toMatchObject({ status: 400, body: { errorCode: 3 } })
  }

  // Operators work on everything; only what belongs to something else in the path can be of another.
  const canBeForeign = place.operation.table.audience !== 'operator' || !place.isFirst
  const before = await theirs.look?.()
  if (canBeForeign) expect((await callAs(mine, place, idOf(place, theirs))).body).toEqual(missing)
  expect(await theirs.look?.()).toEqual(before)

  const own = await callAs(theirs, place)
  expect([401, 403, 404, 500, 503], JSON.stringify(own.body)).not.toContain(own.status)
})

/** What cannot be right, in a body and in a query; an address without either has nothing that could be wrong. */
const nonsense: Readonly<Record<string, string>> = { protocol: 'x', page: 'x', limit: 'x' }
const wrongRequests = ({ row }: ContractOperation): Said[] => {
  if (row.method === 'GET') return row.request.query ? [{ query: nonsense }] : []
  return [{ body: { no_such_field: 1 } }, { body: '{' }]
}
const judged = places
  .filter(({ key, operation }) => !names.includes(key) && wrongRequests(operation).length > 0)
  .map(titled)

test('of every kind of thing it is known whether it is there', () => {
  const unknown = [...allOperations()].filter(
    (operation) =>
      !placesOf(operation).some(({ key }) => names.includes(key)) &&
      resourcesIn(operation.base, operation.row).some(({ isThere }) => isThere === undefined),
  )
  expect(unknown.map(({ name }) => name)).toEqual([])
  expect(judged.length).toBeGreaterThan(60)
})

test.each(judged)('%s: is there or not before the request is judged', async (_title, place) => {
  const missing = declaredMissing(place)
  const isIndex = indexes.includes(place.key)
  const [mine, theirs] = [await lastingOwnerFor(place, 1), await lastingOwnerFor(place, 2)]
  const canBeForeign = !isIndex && (place.operation.table.audience !== 'operator' || !place.isFirst)
  for (const said of wrongRequests(place.operation)) {
    expect((await callAs(mine, place, isIndex ? 20 : 999_999_999, said)).body).toEqual(missing)
    if (canBeForeign) expect((await callAs(mine, place, idOf(place, theirs), said)).body).toEqual(missing)
    const own = await callAs(theirs, place, undefined, said)
    expect([own.status, own.body.errorCode]).toEqual([400, 3])
    if (typeof said.body === 'object') {
      const problem = 'is not a field of this operation'
      expect(own.body.details).toContainEqual({ path: 'no_such_field', problem })
    }
  }
})

test.each(named)('%s: an unknown name', async (_title, place) => {
  const { properties } = place.operation.row.request.params as unknown as {
    properties: Record<string, object>
  }
  const unknown = ['nobody', 'NOBODY'].find((name) => Check(properties[place.parameter] ?? {}, name))
  const isOperators = place.operation.table.audience === 'operator'
  const caller = isOperators ? { token: service.operatorToken, ids: {} } : undefined
  expect((await callAs(caller, place, unknown)).body).toEqual(declaredMissing(place))
})
