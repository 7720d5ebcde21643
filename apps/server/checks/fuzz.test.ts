import { randomInt } from 'node:crypto'
import { errorsOf } from '@sallyport/contract/docs/openapi'
import { errors } from '@sallyport/contract/errors'
import { allOperations, type ContractOperation, type TableName } from '@sallyport/contract/tables'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { owners } from '../../../test/support/one-of-everything.ts'
import type { Owner } from '../../../test/support/owners/owner.ts'
import { seededRandom } from '../../../test/support/random.ts'
import { type Answer, startTestService, type TestService } from '../../../test/support/service.ts'
import { bodyExample } from '../http/docs/examples.ts'

/** Every operation is sent what it never asked for, by somebody who owns one of everything. */

const seed = Number(process.env.SALLYPORT_FUZZ_SEED || randomInt(2 ** 31))
/** How many times as much as usual. */
const times = Number(process.env.SALLYPORT_FUZZ_TIMES || 1)
const rounds = 6 * times

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const random = seededRandom(seed)
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T

const deep = (levels: number): unknown => {
  if (levels === 0) return 1
  const inner = deep(levels - 1)
  return random() < 0.5 ? [inner] : { a: inner }
}
const text = (): string =>
  Array.from({ length: Math.floor(random() * 40) }, () =>
    String.fromCodePoint(1 + Math.floor(random() * 0xd7fe)),
  ).join('')

const hostile = (): unknown =>
  pick<() => unknown>([
    () => null,
    () => pick([true, false]),
    () => pick([0, -0, -1, 0.001, 1.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e300, 1e-300]),
    () => Math.floor((random() - 0.5) * 1e6),
    () =>
      pick(['', ' ', '0', '-1', 'null', '__proto__', "'; drop table users; --", '%00', '../../etc/passwd']),
    () =>
      pick([
        '\u202e',
        '\ud83d\ude00'.repeat(50),
        'a\u0301',
        '\u0000',
        '\ufffe',
        'e\r\nX-Header: 1',
        '{{7*7}}',
      ]),
    () => 'x'.repeat(pick([33, 256, 1025, 20_000])),
    () => text(),
    () => [],
    () => ({}),
    () => Array.from({ length: pick([1, 300]) }, () => pick([1, 'a', null])),
    () => deep(pick([2, 30])),
  ])()

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same with something wrong somewhere in it. */
const spoilt = (value: unknown): unknown => {
  if (Array.isArray(value) && value.length > 0 && random() < 0.7) {
    const at = Math.floor(random() * value.length)
    return value.with(at, spoilt(value[at]))
  }
  if (!isFields(value) || random() < 0.1) return hostile()
  const name = pick(Object.keys(value))
  const change = random()
  if (name === undefined || change < 0.1)
    return { ...value, [pick(['id', 'role', 'balance', text()])]: hostile() }
  if (change < 0.2) return Object.fromEntries(Object.entries(value).filter(([one]) => one !== name))
  return { ...value, [name]: spoilt(value[name]) }
}

const propertiesOf = (schema: TSchema | undefined): string[] =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

const queryFor = ({ row }: ContractOperation): URLSearchParams => {
  const query = new URLSearchParams(row.example?.query as Record<string, string> | undefined)
  for (const name of propertiesOf(row.request.query)) {
    if (random() < 0.4)
      query.set(name, random() < 0.5 ? String(hostile()) : pick(['1', '20', 'true', 'desc', 'ru']))
  }
  if (random() < 0.05) query.set(text() || 'x', '1')
  // Nobody here has the patience of an agent.
  if (query.has('wait_seconds') || propertiesOf(row.request.query).includes('wait_seconds'))
    query.set('wait_seconds', pick(['0', '-1', 'x']))
  return query
}

const headersFor = (): Record<string, string> => ({
  ...(random() < 0.2 && {
    'idempotency-key': pick(['k', 'x'.repeat(300), `k${Math.floor(random() * 20)}`, ' ']),
  }),
  ...(random() < 0.2 && { 'accept-language': pick(['en', 'ru', 'xx-YY;q=9', '*', ';;;']) }),
  ...(random() < 0.1 && { accept: pick(['text/csv', 'nonsense', 'application/json;q=0']) }),
  ...(random() < 0.1 && { 'if-none-match': pick(['*', '"x"', 'W/']) }),
})

interface Sent {
  readonly what: string
  readonly answer: Answer
}

const send = async (operation: ContractOperation, owner: Owner): Promise<Sent> => {
  const { row, base } = operation
  const path = row.path.replaceAll(/(?<=([^/]+)\/):(\w+)/g, (_all, before: string, name: string) => {
    const known = owner.ids[`${before}/:${name}`] ?? owner.ids[name] ?? 1
    return encodeURIComponent(random() < 0.15 ? String(hostile()).slice(0, 200) || '0' : String(known))
  })
  const address = `${base}${path}?${queryFor(operation)}`
  const example = bodyExample(operation, 'en')
  const hasBody = row.method !== 'GET' && (example !== undefined || random() < 0.2)
  const body = hasBody ? (random() < 0.15 ? example : spoilt(example)) : undefined
  const isOpen = row.auth === 'public' || row.auth === 'visitor'
  const headers = { ...owner.headers, ...headersFor() }
  const given = { ...(!isOpen && { token: owner.token }), ...(body !== undefined && { body }), headers }
  const what = `${row.method} ${address} ${JSON.stringify(headers)} ${JSON.stringify(body)?.slice(0, 500)}`
  return { what, answer: await service.call(row.method, address, given) }
}

const makeOwner = async ({ table }: ContractOperation): Promise<Owner> => {
  const make = owners[table.name as TableName]
  if (make) return make(service)
  const isOperators = table.audience === 'operator'
  return { token: isOperators ? service.operatorToken : (await service.createUser()).session_token, ids: {} }
}

/** What is not as the contract has it. */
const problemOf = (operation: ContractOperation, { status, headers, body }: Answer): string | undefined => {
  const { row } = operation
  const isJson = headers.get('content-type')?.startsWith('application/json') === true
  if (status < 400) {
    const schema = row.response[status as 200]
    if (!schema) return `answered ${status}, which is not in the contract`
    if (!isJson) return status === 302 || row.csv ? undefined : `answered ${headers.get('content-type')}`
    if (body.status !== true || body.statusCode !== status) return 'has another envelope'
    if (Check(schema, body.data)) return undefined
    const [first] = Errors(schema, body.data)
    return `does not fit its schema: ${JSON.stringify(first)}`
  }
  const known = errorsOf(row).filter((name) => errors[name].status === status)
  if (!known.some((name) => errors[name].code === body?.errorCode))
    return `answered ${status} with ${JSON.stringify(body)}`
  if (body.status !== false || body.statusCode !== status) return 'has another envelope'
  // What needs a machine that does not answer here says so; nothing else may.
  if (status >= 500 && !row.errors.some((name) => errors[name].status === status))
    return `answered ${status} ${JSON.stringify(body)}`
  return undefined
}

/** Switches off what everybody pays with, and whoever comes later could not be given anything: these come last. */
const isCatalogue = ({ table }: ContractOperation): boolean => table.name === 'operator-catalogue'
const inTurn = (): ContractOperation[] =>
  [...allOperations()].toSorted((one, other) => Number(isCatalogue(one)) - Number(isCatalogue(other)))

test(`check 6: whatever operations are sent, they fail as the contract says or not at all (SALLYPORT_FUZZ_SEED=${seed})`, {
  timeout: times * 180_000,
}, async () => {
  const problems: string[] = []
  const statuses = new Map<number, number>()
  for (const operation of inTurn()) {
    await service.heartbeat()
    let owner = await makeOwner(operation)
    for (let round = 0; round < rounds; round++) {
      const { what, answer } = await send(operation, owner)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const problem = problemOf(operation, answer)
      if (problem) problems.push(`${operation.name}: ${what} ${problem}`)
      if (answer.status === 401 && round < rounds - 1) owner = await makeOwner(operation)
    }
  }
  expect(problems).toEqual([])
  expect(statuses.get(200) ?? 0, 'some of it is taken').toBeGreaterThan(100)
  expect(statuses.get(400) ?? 0, 'much of it is refused').toBeGreaterThan(300)
})
