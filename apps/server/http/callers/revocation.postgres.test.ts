import { generateKeyPairSync } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import { anonymousLimit } from '@sallyport/contract/operation'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { enrolNode, signNodeToken } from '../../../../test/support/node.ts'
import { TestSessions } from '../../../../test/support/people/sessions.ts'
import { botToken } from '../../../../test/support/people/telegram.ts'
import { openLimiter, startTestService, type TestService } from '../../../../test/support/service.ts'
import { readConfig } from '../../config.ts'
import { touchNode } from '../../core/fleet/placements.ts'
import { Bus } from '../../core/kernel/bus.ts'
import { AnonymousLimit } from '../../core/kernel/credential-lookup.ts'
import { createOperator } from '../../core/operators/operators.ts'
import { type Database, type Db, inTransaction } from '../../db/client.ts'
import type { Engine, NotifyListener } from '../../db/driver.ts'
import { type RunningService, startService } from '../../main.ts'
import type { Actor } from '../../operations/actor.ts'
import { Authenticator } from './auth.ts'

/** Two instances that both remember whom a credential belongs to. */
let service: TestService
let other: RunningService
let people: TestSessions
beforeAll(async () => {
  service = await startTestService({ env: { TELEGRAM_BOT_TOKEN: botToken }, withoutLimits: true })
  other = await startService(readConfig(service.env), { clock: service.clock })
  people = new TestSessions(service)
})
afterAll(async () => {
  await other.stop()
  await service.stop()
})

const statusAt = async (url: string, token: string): Promise<number> => {
  const response = await fetch(`${url}/v1/profile`, { headers: { authorization: `Bearer ${token}` } })
  await response.arrayBuffer()
  return response.status
}

const expectEverywhere = async (token: string, status: number): Promise<void> => {
  for (const { url } of [service.running, other]) expect(await statusAt(url, token)).toBe(status)
}

/** At once where it was done, and within a second on the other instance. */
const expectEnded = async (token: string, status = 401): Promise<void> => {
  expect(await statusAt(service.running.url, token)).toBe(status)
  await expect.poll(() => statusAt(other.url, token), { timeout: 1000, interval: 10 }).toBe(status)
}

/** Nobody hears of it: only who looks into the database again can know. */
const revokeSilently = async ({ user_id }: SignedIn): Promise<void> => {
  await service.db.updateTable('sessions').set({ revoked_at: 1 }).where('user_id', '=', user_id).execute()
}

/** The connections on which instances hear each other; they are made anew half a second later. */
const cutListeners = (db: Db) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and (query like 'listen %' or query = 'select 1')`.execute(db)

test('both instances remember, so that the following tests mean something', async () => {
  const person = await people.signIn()
  await expectEverywhere(person.session_token, 200)
  await revokeSilently(person)
  await expectEverywhere(person.session_token, 200)
})

describe('check 23: it ends on every instance within a second', () => {
  test('a session that is logged out', async () => {
    const person = await people.signIn()
    const [kept, apiKey] = [await people.signInAgain(), await people.apiKeyOf(person)]
    await expectEverywhere(person.session_token, 200)
    await people.logout(person.session_token)
    await expectEnded(person.session_token)
    for (const token of [kept.session_token, apiKey]) await expectEverywhere(token, 200)
  })

  test('every session, and no API key, at logoutAll', async () => {
    const [first, second] = [await people.signIn(), await people.signInAgain()]
    const apiKey = await people.apiKeyOf(first)
    for (const token of [first.session_token, second.session_token, apiKey])
      await expectEverywhere(token, 200)
    await people.logoutAll(first.session_token)
    for (const token of [first.session_token, second.session_token]) await expectEnded(token)
    await expectEverywhere(apiKey, 200)
  })

  test('a session whose refresh token was used again', async () => {
    const first = await people.signIn()
    const second = await people.refreshed(first.refresh_token)
    await expectEverywhere(second.session_token, 200)
    service.clock.advance(31)
    await people.refresh(first.refresh_token)
    for (const token of [first.session_token, second.session_token]) await expectEnded(token)
  })

  test('an API key that is revoked', async () => {
    const user = await service.createUser()
    await expectEverywhere(user.api_key, 200)
    const asSession = { token: user.session_token }
    const [key] = (await service.call('GET', '/v1/profile/api-keys', asSession)).body.data
    await service.call('DELETE', `/v1/profile/api-keys/${key.id}`, asSession)
    await expectEnded(user.api_key)
    await expectEverywhere(user.session_token, 200)
  })

  test('everything of an account that is blocked, and it comes back', async () => {
    const user = await service.createUser()
    const tokens = [user.api_key, user.session_token]
    const block = (isBlocked: boolean) =>
      service.operator('PATCH', `/users/${user.id}/blocked`, { is_blocked: isBlocked })
    for (const token of tokens) await expectEverywhere(token, 200)
    await block(true)
    for (const token of tokens) await expectEnded(token, 403)
    await block(false)
    for (const token of tokens) await expectEnded(token, 200)
  })
})

describe('check 23: of those who run the service it ends on every instance', () => {
  const operatorAt = async (url: string, token: string): Promise<number> => {
    const response = await fetch(`${url}/operator/v1/nodes`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await response.arrayBuffer()
    return response.status
  }
  const everywhere = (token: string) =>
    Promise.all([service.running, other].map(({ url }) => operatorAt(url, token)))

  const newOperator = async () => {
    const name = crypto.randomUUID()
    const token = await createOperator(service.db, { name, role: 'owner', now: service.clock.now() })
    const { id } = await service.db
      .selectFrom('operators')
      .select('id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    expect(await everywhere(token)).toEqual([200, 200])
    return { id, token }
  }
  const soon = { timeout: 1000, interval: 10 }

  test('a token of an operator, revoked', async () => {
    const { id, token } = await newOperator()
    const [{ id: tokenId }] = (await service.operator('GET', `/operators/${id}/tokens`)).body.data
    await service.operator('DELETE', `/operators/${id}/tokens/${tokenId}`)
    expect(await operatorAt(service.running.url, token)).toBe(401)
    await expect.poll(() => operatorAt(other.url, token), soon).toBe(401)
  })

  test.each(['operators', 'operator_tokens'] as const)('a token marked so in %s by hand', async (table) => {
    const { id, token } = await newOperator()
    const column = table === 'operators' ? 'id' : 'operator_id'
    await service.db.updateTable(table).set({ revoked_at: 1 }).where(sql.ref(column), '=', id).execute()
    await expect.poll(() => everywhere(token), soon).toEqual([401, 401])
  })

  const stateAt = async (url: string, token: string, query: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${url}/agent/v1/state?${query}`, { headers })
    await response.arrayBuffer()
    return response.status
  }

  const pollAt = async (url: string) => {
    const node = await enrolNode(service, 1)
    const { revision } = await node.poll(0)
    const token = await signNodeToken(node.nodeId, node.privateKey)
    const wait = `since=${revision}&wait_seconds=30`
    const waiting = stateAt(url, token, wait)
    await setTimeout(300)
    return { ...node, token, wait, waiting }
  }

  test.each([
    ['replaced', 'POST', '/enrolment'],
    ['removed', 'DELETE', ''],
  ])('a node that is %s, and its open poll with it', async (_name, method, path) => {
    const { nodeId, token, waiting } = await pollAt(other.url)
    await service.operator(method, `/nodes/${nodeId}${path}`)
    expect(await waiting).toBe(401)
    for (const { url } of [service.running, other]) expect(await stateAt(url, token, 'since=0')).toBe(401)
  })

  test('the old key of a node, and the new one is taken where nobody has heard of it', async () => {
    const node = await enrolNode(service, 1)
    const oldToken = await signNodeToken(node.nodeId, node.privateKey)
    expect(await stateAt(other.url, oldToken, 'since=0')).toBe(200)
    const { privateKey } = generateKeyPairSync('ed25519')
    const { x } = privateKey.export({ format: 'jwk' })
    const deaf = vi.spyOn(other.services.bus, 'deliver').mockReturnValue(undefined)
    onTestFinished(() => deaf.mockRestore())
    await service.db
      .updateTable('nodes')
      .set({ public_key: x as string })
      .where('id', '=', node.nodeId)
      .execute()
    expect(await stateAt(other.url, await signNodeToken(node.nodeId, privateKey), 'since=0')).toBe(200)
    expect(await stateAt(other.url, oldToken, 'since=0')).toBe(401)
  })

  test('a poll, when the node asks another instance', async () => {
    const { token, wait, waiting, nodeId } = await pollAt(other.url)
    const newer = stateAt(service.running.url, token, wait)
    expect(await waiting).toBe(409)
    await setTimeout(100)
    const { bus } = service.running.services
    await inTransaction(service.db, (tx) => touchNode(tx, bus, nodeId))
    expect(await newer).toBe(200)
  })
})

test('while messages may be missed nothing is remembered', async () => {
  const person = await people.signIn()
  const isLive = vi.spyOn(service.running.services.bus, 'isLive', 'get').mockReturnValue(false)
  onTestFinished(() => isLive.mockRestore())
  expect(await people.statusOf(person.session_token)).toBe(200)
  await revokeSilently(person)
  expect(await people.statusOf(person.session_token)).toBe(401)
})

test('what was remembered before messages were missed is forgotten', async () => {
  const person = await people.signIn()
  await expectEverywhere(person.session_token, 200)
  await revokeSilently(person)
  await cutListeners(service.db)
  for (const { url } of [service.running, other]) {
    await expect.poll(() => statusAt(url, person.session_token), { timeout: 2000 }).toBe(401)
  }
})

test('what was read while messages were missed is not remembered afterwards', async () => {
  const { db, vault, clock, sessions } = other.services
  const bus = new Bus()
  let listener: NotifyListener | undefined
  const listen: Engine['listen'] = async (_, to) => {
    listener = to
  }
  await bus.start({ engine: { listen } } as Database)
  const used = { onKeyUsed: () => undefined, onTokenUsed: () => undefined }
  const authenticator = new Authenticator({ db, vault, bus, clock, sessions, ...used })
  const person = await people.signIn()
  const anonymous = new AnonymousLimit(openLimiter, () => 'anybody', anonymousLimit)
  const resolve = () => authenticator.resolve(`Bearer ${person.session_token}`, 'customer', anonymous)
  let reading: Promise<Actor | undefined> | undefined
  await inTransaction(service.db, async (tx) => {
    await sql`lock table sessions in access exclusive mode`.execute(tx)
    reading = resolve()
    const waiting = sql<{ n: number }>`
      select count(*)::int as n from pg_locks where relation = 'sessions'::regclass and not granted`
    await expect.poll(async () => (await waiting.execute(tx)).rows[0]?.n, { interval: 10 }).toBe(1)
    listener?.onLive(false)
    listener?.onLive(true)
  })
  expect(await reading).toMatchObject({ id: person.user_id })
  await revokeSilently(person)
  expect(await resolve()).toBeUndefined()
})
