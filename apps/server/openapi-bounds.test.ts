import { openApiDocument } from '@sallyport/contract/docs/openapi'
import { ApiError } from '@sallyport/contract/errors'
import { allOperations, type ContractOperation, operationsOf, tablesFor } from '@sallyport/contract/tables'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../test/support/service.ts'
import { readPurchase } from './features/configs/purchase.ts'

/** OpenAPI tells the bounds that the code keeps: just outside is refused, just inside is not for that reason. */

// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON, walked freely here.
type Any = any

let service: TestService
let user: TestUser
let awg: { id: number }
let machine: { id: number }
let cloudAwg: { id: number }
let cloudProxy: { id: number }
let added: { id: number }
let custom: { id: number }
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  await service.heartbeat()
  // Whatever has the id 1 is somebody else's.
  await service.createUser()
  user = await service.createUser({ balance: 10_000, referral_balance: 100_000 })
  awg = await service.buy(user, { protocol: 'amnezia-wg-2' })
  const order = { location_id: 1, payment_method_id: 1, tariff_id: 31 }
  machine = (await service.customer(user, 'POST', '/cloud-servers', order)).body.data
  await service.running.runJobs()
  const path = `/cloud-servers/${machine.id}/configs`
  const make = async (address: string, body: object) =>
    (await service.customer(user, 'POST', address, body)).body.data
  cloudAwg = await make(path, { protocol: 'amnezia-wg-2' })
  cloudProxy = await make(`/cloud-servers/${machine.id}/proxies`, { protocol: 'http' })
  await make('/paid-options', { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 })
  added = await make('/paid-options/1/configs', { protocol: 'vless' })
  const items = [{ item_type: 'user_config', item_reference_id: awg.id }]
  custom = await make('/profile/custom-subscriptions', { title: 'Family', items })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const document = openApiDocument('customer') as Any
const operationOf = ({ row }: ContractOperation): Any =>
  document.paths[row.path.replace(/:(\w+)/g, '{$1}')][row.method.toLowerCase()]
const bodySchema = (operation: Any): Any => operation.requestBody?.content['application/json'].schema

type Place = 'path' | 'query' | 'body'
interface Bound {
  readonly operation: ContractOperation
  readonly place: Place
  readonly name: string
  readonly keyword: string
  readonly outside: unknown
  readonly inside: unknown
}

const text = (length: number): string => 'a'.repeat(length)
const valuesOf: Record<string, (limit: number) => [outside: unknown, inside: unknown]> = {
  minimum: (limit) => [limit - 1, limit],
  maximum: (limit) => [limit + 1, limit],
  minLength: (limit) => [text(limit - 1), text(limit)],
  maxLength: (limit) => [text(limit + 1), text(limit)],
}
const longMailbox = `${text(64)}@${`${text(61)}.`.repeat(3)}`
/** Where letters alone would be refused for another reason than their number. */
const ownValues: Record<string, [outside: unknown, inside: unknown]> = {
  'card_number minLength': ['411111111111', '4222222222222'],
  'card_number maxLength': [`4111111111111111${' '.repeat(17)}`, `4111111111111111${' '.repeat(16)}`],
  'tls_domain minLength': ['a', 'a.b'],
  'tls_domain maxLength': [`${`${text(62)}.`.repeat(4)}ru`, `${`${text(62)}.`.repeat(3)}${text(61)}.ru`],
  'changeXrayTemplate template minLength': ['{', '{}'],
  'verifyEmailSignIn code minLength': ['12345', '123456'],
  'verifySubscriptionSignIn code minLength': ['12345', '123456'],
  'email minLength': ['a', 'a@example.com'],
  'email maxLength': [`${longMailbox}abcd`, `${longMailbox}abc`],
  'return_to maxLength': [`/${text(512)}`, `/${text(511)}`],
}

const boundsOf = (operation: ContractOperation, place: Place, name: string, schema: Any): Bound[] => {
  const plain = schema.anyOf?.[0] ?? schema
  return Object.keys(valuesOf).flatMap((keyword) => {
    const limit = plain[keyword]
    const isBound = limit !== undefined && !(keyword === 'minLength' && limit === 0)
    if (!isBound) return []
    const own = ownValues[`${operation.name} ${name} ${keyword}`] ?? ownValues[`${name} ${keyword}`]
    const [outside, inside] = own ?? (valuesOf[keyword]?.(limit) as [unknown, unknown])
    return [{ operation, place, name, keyword, outside, inside }]
  })
}

const bounds = [...operationsOf(tablesFor('customer'))].flatMap((operation) => {
  const told = operationOf(operation)
  const parameters = (told.parameters ?? []).filter((one: Any) => one.schema)
  return [
    ...parameters.flatMap((one: Any) => boundsOf(operation, one.in, one.name, one.schema)),
    ...Object.entries<Any>(bodySchema(told)?.properties ?? {}).flatMap(([name, schema]) =>
      boundsOf(operation, 'body', name, schema),
    ),
  ] as Bound[]
})

/** What a value within its bounds may be refused for all the same; the field's note says so. */
const otherReasons = /^is unknown|^is not the length of a tariff|nothing to reset$/

/** What else a request needs to be looked at beyond its schema. */
const awgBase = { s1: 20, s2: 30, s3: 40, s4: 10, h1: 11, h2: 12, h3: 13, h4: 14, jmin: 1, jmax: 1280 }
const bases: Record<string, object> = {
  changeAwgConfig: awgBase,
  changeCloudAwgConfig: awgBase,
  topUpBalance: { payment_method_id: 2 },
  withdrawToCard: { amount: 1000, card_number: '4111111111111111' },
  createSubconfig: { protocol: 'mtproto' },
  switchAutoRenewal: { enabled: true },
}

const send = ({ operation, place, name }: Bound, value: unknown): Promise<Answer> => {
  const { row, base } = operation
  const own: Record<string, number | string> = {
    'cloud-servers/:id': machine.id,
    'cloud-servers/:server_id': machine.id,
    'configs/:id': cloudAwg.id,
    'proxies/:proxy_id': cloudProxy.id,
    'configs/:configId': added.id,
    'custom-subscriptions/:id': custom.id,
    'oauth/:provider': 'nobody',
  }
  const path = row.path.replace(/([^/]+)\/:(\w+)/g, (_, before: string, parameter: string) => {
    const given = () => {
      if (place === 'path' && parameter === name) return encodeURIComponent(String(value))
      if (parameter === 'config_id') return row.path.startsWith('/cloud') ? cloudAwg.id : awg.id
      return own[`${before}/:${parameter}`] ?? '1'
    }
    return `${before}/${given()}`
  })
  const query = place === 'query' ? `?${name}=${encodeURIComponent(String(value))}` : ''
  const fields = { ...bases[operation.name], ...(place === 'body' && { [name]: value }) }
  return service.call(row.method, `${base}${path}${query}`, {
    ...(row.auth !== 'visitor' && { token: user.session_token }),
    ...(row.request.body && { body: fields }),
  })
}

const refusalsOf = ({ body }: Answer, name: string): string[] => {
  if (body.errorCode === 46) return ['INVALID_TOPUP_AMOUNT']
  if (body.statusCode !== 400) return []
  const details: { path: string; problem: string }[] = body.details ?? []
  return details.filter(({ path }) => path === name).map(({ problem }) => problem)
}

describe('bounds', () => {
  test('are told wherever the specification has them', () => {
    const told = bounds.map(({ operation, name, keyword, inside }) => [operation.name, name, keyword, inside])
    for (const operation of ['topUpBalance', 'calculateTopup']) {
      expect(told).toContainEqual([operation, 'amount', 'minimum', 1])
      expect(told).toContainEqual([operation, 'amount', 'maximum', 15_000])
    }
    for (const operation of ['withdrawBySbp', 'withdrawToCard']) {
      expect(told).toContainEqual([operation, 'amount', 'minimum', 1000])
      expect(told).toContainEqual([operation, 'amount', 'maximum', 75_000])
    }
    for (const [name, most] of Object.entries({ jc: 128, s1: 1132, s2: 1188, s3: 1216, s4: 864 })) {
      expect(told).toContainEqual(['changeAwgConfig', name, 'maximum', most])
    }
    expect(told).toContainEqual(['switchAutoRenewal', 'days', 'maximum', 3650])
    expect(bounds.length).toBeGreaterThan(100)
  })

  test.each(
    bounds.map(
      (bound) => [`${bound.operation.name} ${bound.place}.${bound.name} ${bound.keyword}`, bound] as const,
    ),
  )('%s', async (_what, bound) => {
    const [refused, taken] = [await send(bound, bound.outside), await send(bound, bound.inside)]
    const reasons = refusalsOf(refused, bound.name)
    expect(reasons, JSON.stringify(refused.body)).not.toEqual([])
    expect(refusalsOf(taken, bound.name).filter((reason) => !otherReasons.test(reason))).toEqual([])
  })
})

describe('rules over several fields', () => {
  const schemaOf = (name: string) => {
    const operation = [...allOperations()].find((one) => one.name === name) as ContractOperation
    return Compile(bodySchema(operationOf(operation)))
  }
  /** Every choice of these fields, each left out or with one of its values. */
  const choices = (fields: Record<string, readonly unknown[]>): Record<string, unknown>[] =>
    Object.entries(fields).reduce<Record<string, unknown>[]>(
      (made, [name, values]) =>
        made.flatMap((one) => [one, ...values.map((value) => ({ ...one, [name]: value }))]),
      [{}],
    )
  const isRefused = (work: () => unknown): boolean => {
    try {
      work()
      return false
    } catch (error) {
      if (error instanceof ApiError) return true
      throw error
    }
  }
  const payments = { promocode: ['ABCD-EFGH'], payment_method_id: [1], tariff_id: [1] }

  test('a purchase', () => {
    const schema = schemaOf('buyConfig')
    const bodies = choices({ ...payments, as_key: [true, false], location_id: [1], protocol: ['vless'] })
    expect(bodies).toHaveLength(96)
    for (const body of bodies) {
      expect(schema.Check(body), JSON.stringify(body)).toBe(!isRefused(() => readPurchase(body)))
    }
  })

  test('a renewal', async () => {
    const schema = schemaOf('renewConfig')
    const { id } = await service.buy(user, usualOrder)
    for (const body of choices(payments)) {
      const answer = await service.customer(user, 'POST', `/configs/renewal/${id}`, body)
      expect(schema.Check(body), JSON.stringify(body)).toBe(answer.body.errorCode !== 3)
    }
  })

  test('auto-renewal', async () => {
    const schema = schemaOf('switchAutoRenewal')
    for (const body of choices({ enabled: [true, false], days: [30] })) {
      const answer = await service.customer(user, 'PATCH', `/configs/${awg.id}/auto-renewal`, body)
      expect(schema.Check(body), JSON.stringify(body)).toBe(answer.status === 200)
    }
  })

  test('a proxy', async () => {
    const schema = schemaOf('createSubconfig')
    for (const body of choices({ protocol: ['http', 'mtproto'], tls_domain: ['www.example.com'] })) {
      const { id } = await service.buy(user, { location_id: 2 })
      const answer = await service.customer(user, 'POST', `/configs/${id}/subconfig`, body)
      expect(schema.Check(body), JSON.stringify(body)).toBe(answer.status === 200)
    }
  })

  test('bodies that cannot be left out say so', () => {
    for (const name of ['buyConfig', 'renewConfig']) {
      const operation = [...allOperations()].find((one) => one.name === name) as ContractOperation
      expect(operationOf(operation).requestBody.required).toBe(true)
    }
  })
})
