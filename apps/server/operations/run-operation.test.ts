import { ApiError } from '@sallyport/contract/errors'
import type { OperationName } from '@sallyport/contract/tables'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../test/support/service.ts'
import type { Actor } from './actor.ts'
import { dataOf } from './answer.ts'
import type { OperationInput } from './operation-input.ts'

/** Operations as whoever lives in the same process calls them: nothing here speaks HTTP. */

let service: TestService
let user: TestUser
let customer: Actor
let operator: Actor

beforeAll(async () => {
  service = await startTestService()
  await service.heartbeat()
  const { id } = await service.db.selectFrom('operators').select('id').executeTakeFirstOrThrow()
  operator = { kind: 'operator', id, role: 'owner', operations: null }
})
afterAll(() => service.stop())

beforeEach(async () => {
  user = await service.createUser({ balance: 1000 })
  customer = { kind: 'customer', id: user.id, sessionId: undefined, isBlocked: false }
})

const run = (
  name: OperationName,
  actor: Actor | undefined,
  said: Partial<OperationInput> = {},
  key?: string,
) => service.running.operations[name].run(actor, { language: 'en', ip: '192.0.2.7', ...said }, key)

/** The same after waiting out the operation's limit. */
const runLater = (...call: Parameters<typeof run>) => {
  service.clock.advance(1)
  return run(...call)
}

const failure = async (work: Promise<unknown>): Promise<ApiError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

const ordersOf = ({ id }: { id: number }) =>
  service.db.selectFrom('orders').selectAll().where('user_id', '=', id).execute()

const auditOf = (subject: string) =>
  service.db
    .selectFrom('audit_log')
    .select(['operator_id', 'action', 'details', 'created_at'])
    .where('subject', '=', subject)
    .orderBy('id')
    .execute()

describe('a purchase', () => {
  test('is answered with the fields of the contract, and paid', async () => {
    const answer = await runLater('buyConfig', customer, { body: usualOrder })
    expect(answer.status).toBe(201)
    const { id } = dataOf(answer) as { id: number }
    const shown = await service.customer(user, 'GET', `/configs`)
    expect(shown.body.data).toMatchObject([{ id, protocol: 'vless' }])
    expect(shown.body.data[0]).toEqual(dataOf(answer))
    expect(await ordersOf(user)).toHaveLength(1)
  })

  test('under a key happens once, and the repeat is told as one', async () => {
    const first = await runLater('buyConfig', customer, { body: usualOrder }, 'a key')
    const again = await runLater('buyConfig', customer, { body: usualOrder }, 'a key')
    expect(again).toEqual({ status: 201, text: first.text, isReplay: true })
    const overHttp = await service.customer(user, 'POST', '/configs', usualOrder, {
      'idempotency-key': 'a key',
    })
    expect(overHttp.headers.get('idempotency-replayed')).toBe('true')
    expect(overHttp.body.data).toEqual(dataOf(first))
    expect(await ordersOf(user)).toHaveLength(1)
    const other = runLater('buyConfig', customer, { body: { ...usualOrder, tariff_id: 2 } }, 'a key')
    expect(await failure(other)).toMatchObject({ code: 'CONFLICT', details: [{ path: 'Idempotency-Key' }] })
  })

  test('is answered with a link where money has to come first, under a key always the same', async () => {
    const order = { ...usualOrder, payment_method_id: 2 }
    const answer = await runLater('buyConfig', customer, { body: order }, 'a link')
    expect(dataOf(answer)).toEqual({ link: expect.stringMatching(/^http/), payment_id: expect.any(Number) })
    expect(await runLater('buyConfig', customer, { body: order }, 'a link')).toMatchObject({
      text: answer.text,
    })
    expect(await ordersOf(user)).toMatchObject([{ state: 'created' }])
    const other = await runLater('buyConfig', customer, { body: order })
    expect(dataOf(other)).toEqual({ link: expect.stringMatching(/^http/), payment_id: expect.any(Number) })
    expect(other.text).not.toBe(answer.text)
  })

  test('is limited as over HTTP, out of the same bucket', async () => {
    await runLater('buyConfig', customer, { body: usualOrder })
    const soon = await failure(run('buyConfig', customer, { body: usualOrder }))
    expect(soon).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 1 })
    const overHttp = { token: user.api_key, body: usualOrder }
    expect((await service.call('POST', '/v1/configs', overHttp)).status).toBe(429)
    expect(await ordersOf(user)).toHaveLength(1)
  })

  test('that says something wrong is refused by name', async () => {
    const wrong = await failure(
      runLater('buyConfig', customer, { body: { ...usualOrder, location_id: 'x' } }),
    )
    expect(wrong.code).toBe('BAD_REQUEST')
    expect(wrong.details).toEqual([{ path: 'location_id', problem: 'must be a whole number' }])
    const unkept = await failure(runLater('buyConfig', customer, { body: { ...usualOrder, title: 'a\0b' } }))
    expect(unkept.details).toEqual([{ path: 'title', problem: 'must not contain NUL characters' }])
    expect(await ordersOf(user)).toEqual([])
  })

  test('with promocodes that nobody has is counted', async () => {
    const { location_id, protocol } = usualOrder
    const guess = (n: number) => ({ body: { location_id, protocol, promocode: `ABCD-EFGH-JK${n}` } })
    for (let n = 10; n < 20; n++) {
      expect((await failure(runLater('buyConfig', customer, guess(n)))).code).toBe('PROMOCODE_INVALID')
    }
    expect(await failure(runLater('buyConfig', customer, guess(20)))).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      limit: 10,
    })
  })
})

describe('who calls', () => {
  test('has to be of the operation’s kind', async () => {
    for (const actor of [undefined, operator]) {
      expect((await failure(run('buyConfig', actor, { body: usualOrder }))).code).toBe('UNAUTHORIZED')
    }
    expect((await failure(run('changeSettings', customer, { body: {} }))).code).toBe('UNAUTHORIZED')
  })

  test('has to be allowed to', async () => {
    const blocked: Actor = { kind: 'customer', id: user.id, sessionId: undefined, isBlocked: true }
    const support: Actor = { kind: 'operator', id: operator.id, role: 'support', operations: null }
    const forUsers: Actor = { kind: 'operator', id: operator.id, role: 'owner', operations: ['createUser'] }
    const refused = [
      run('buyConfig', blocked, { body: usualOrder }),
      run('listApiKeys', customer),
      run('changeSettings', support, { body: {} }),
      run('changeSettings', forUsers, { body: {} }),
    ]
    for (const call of refused) expect((await failure(call)).code).toBe('FORBIDDEN')
  })

  test('learns that what is named is not there before it is judged what is said of it', async () => {
    const input = { params: { config_id: 999_999 }, body: { no_such_field: 1 } }
    expect((await failure(runLater('changeConfigTitle', customer, input))).code).toBe('NOT_FOUND')
  })
})

describe('a write of an operator', () => {
  test('is audited with what was before and after', async () => {
    const before = dataOf(await run('showSettings', operator)) as { version: number }
    const answer = await run('changeSettings', operator, { body: { referral_percent: 33 } })
    expect(dataOf(answer)).toEqual({ ...before, referral_percent: 33, version: before.version + 1 })
    expect((await auditOf('settings')).at(-1)).toEqual({
      operator_id: operator.id,
      action: 'changeSettings',
      details: { before: { referral_percent: 20 }, after: { referral_percent: 33 } },
      created_at: service.clock.now(),
    })
  })

  test('under a key is audited once', async () => {
    const input = { params: { id: user.id }, body: { account: 'wallet', amount: 5, reason: 'a present' } }
    const first = await run('adjustBalance', operator, input, 'present')
    expect(await run('adjustBalance', operator, input, 'present')).toMatchObject({
      text: first.text,
      isReplay: true,
    })
    expect(await auditOf(`user:${user.id}`)).toMatchObject([
      { action: 'createUser' },
      { action: 'adjustBalance', details: { amount: 5, reason: 'a present' } },
    ])
  })

  test('that is refused leaves nothing', async () => {
    const input = { params: { id: user.id }, body: { account: 'wallet', amount: -5000, reason: 'too much' } }
    expect((await failure(run('adjustBalance', operator, input))).code).toBe('INSUFFICIENT_BALANCE')
    expect(await auditOf(`user:${user.id}`)).toHaveLength(1)
  })

  test('that cannot be audited is not done', async () => {
    const nobody: Actor = { kind: 'operator', id: 999_999, role: 'owner', operations: null }
    const input = { params: { id: user.id }, body: { is_blocked: true } }
    expect((await failure(run('blockUser', nobody, input))).code).toBe('INTERNAL')
    const { body } = await service.operator('GET', `/users?search=${user.id}`)
    expect(body.data.items[0].is_blocked).toBe(false)
  })

  test('that finds nothing to change is noted with nothing to compare', async () => {
    await run('resetDeliveryTemplate', operator, { params: { kind: 'mihomo' } })
    expect(await auditOf('template:mihomo')).toMatchObject([{ details: { before: {}, after: {} } }])
  })
})
