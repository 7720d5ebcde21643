import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CustomTests, configItem, notFound } from '../../../../../test/support/custom-subscriptions.ts'
import {
  anotherCode,
  codeTo,
  lettersTo,
  longCodeTo,
  newAddress,
  Visitor,
} from '../../../../../test/support/people/mailbox.ts'
import { botToken, initDataOf } from '../../../../../test/support/people/telegram.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  const env = { TELEGRAM_BOT_TOKEN: botToken, TRUSTED_PROXIES: '127.0.0.1' }
  service = await startTestService({ withoutLimits: true, content: 'demo', env })
})
afterAll(() => service.stop())
// All tests come from one address, whose own limit is not what they are about.
beforeEach(() => service.db.deleteFrom('security_counters').execute())

const from = (ip?: string) => (ip === undefined ? {} : { headers: { 'x-forwarded-for': ip } })
const start = (subscription_key: string, ip?: string) =>
  service.call('POST', '/v1/auth/subscription/start', { body: { subscription_key }, ...from(ip) })
const verify = (subscription_key: string, code: string, ip?: string) =>
  service.call('POST', '/v1/auth/subscription/verify', { body: { subscription_key, code }, ...from(ip) })

const madeUp = 'A'.repeat(32)

const customer = async (): Promise<TestUser & { email: string }> => {
  const email = newAddress()
  return { ...(await service.createUser({ email, balance: 1000 })), email }
}

const customKeyOf = async (user: TestUser): Promise<string> => {
  await service.heartbeat()
  const { id } = await service.buy(user)
  const custom = await new CustomTests(service).made(user, configItem(id))
  return custom.subscription_key
}

const profileOf = async (token: string) => (await service.call('GET', '/v1/profile', { token })).body.data

describe('a key names the account', () => {
  test('and the code goes to its own address, of which little is told', async () => {
    const user = await customer()
    const { status, body } = await start(user.subscription_key)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      expires_at: service.clock.now() + 600,
      email_hint: 'p•••@e•••.com',
      passkey: false,
      telegram: false,
      oauth: [],
    })
    expect(lettersTo(service, user.email)).toHaveLength(1)
    const answer = await verify(user.subscription_key, codeTo(service, user.email))
    expect(answer.body.data).toMatchObject({ user_id: user.id, is_new_account: false })
    expect(await profileOf(answer.body.data.session_token)).toMatchObject({
      id: user.id,
      sign_in_method: 'authCode',
    })
  })

  test('by the long code too, from another network', async () => {
    const user = await customer()
    await start(user.subscription_key, '203.0.113.7')
    const code = longCodeTo(service, user.email)
    const answer = await verify(user.subscription_key, code.toLowerCase(), '198.51.100.7')
    expect(answer.body.data.user_id).toBe(user.id)
    expect((await verify(user.subscription_key, code)).status).toBe(401)
  })

  test('so does the key of a subscription that was put together', async () => {
    const user = await customer()
    const key = await customKeyOf(user)
    expect((await start(key)).body.data.email_hint).toBe('p•••@e•••.com')
    expect((await verify(key, codeTo(service, user.email))).body.data.user_id).toBe(user.id)
  })

  test('a letter for the address opens by the key, and one for the key by the address', async () => {
    const user = await customer()
    const visitor = new Visitor(service)
    const byAddress = await visitor.ask(user.email)
    expect((await verify(user.subscription_key, byAddress)).body.data.user_id).toBe(user.id)
    await start(user.subscription_key)
    expect((await visitor.verify(user.email, codeTo(service, user.email))).body.data.user_id).toBe(user.id)
  })

  test('without an address no letter is sent, and the other ways are told', async () => {
    const init_data = initDataOf(6_000_000_001, service.clock.now())
    const signedIn = await service.call('POST', '/v1/auth/telegram', { body: { init_data } })
    const { subscription_key: key } = await profileOf(signedIn.body.data.session_token)
    const { body } = await start(key)
    expect(body.data).toEqual({
      expires_at: null,
      email_hint: null,
      passkey: false,
      telegram: true,
      oauth: [],
    })
    expect((await verify(key, '123456')).status).toBe(401)
    expect((await verify(key, 'ABCD-EFGH-JKMN-PQRS')).status).toBe(401)
  })
})

describe('a key alone opens nothing', () => {
  test('no code, no session; none of its own is taken for one either', async () => {
    const user = await customer()
    for (const code of ['000000', user.subscription_key, 'ABCD-EFGH-JKMN-PQRS'])
      expect((await verify(user.subscription_key, code)).status).toBe(401)
    for (const path of ['/profile', '/configs', '/apps?platform=ios'])
      expect((await service.call('GET', `/v1${path}`, { token: user.subscription_key })).status).toBe(401)
  })

  test('a code of one account does not open another', async () => {
    const [one, other] = [await customer(), await customer()]
    await start(one.subscription_key)
    const code = codeTo(service, one.email)
    const long = longCodeTo(service, one.email)
    for (const each of [code, long]) expect((await verify(other.subscription_key, each)).status).toBe(401)
    expect((await verify(one.subscription_key, code)).status).toBe(200)
  })

  test('a code for an address that the account has no more opens nothing, and makes no account', async () => {
    const user = await customer()
    await start(user.subscription_key)
    const code = codeTo(service, user.email)
    const email = newAddress()
    const link = { link: true }
    const visitor = new Visitor(service)
    await visitor.verify(email, await visitor.ask(email), link, user.session_token)
    expect((await verify(user.subscription_key, code)).status).toBe(401)
    const left = await service.db.selectFrom('users').select('id').where('email', '=', user.email).execute()
    expect(left).toEqual([])
  })

  test('an account that is blocked after the letter is not opened, and its key is like none', async () => {
    const user = await customer()
    await start(user.subscription_key)
    await service.operator('PATCH', `/users/${user.id}/blocked`, { is_blocked: true })
    const answers = [
      await verify(user.subscription_key, codeTo(service, user.email)),
      await start(user.subscription_key),
    ]
    for (const { body } of answers) expect(body).toMatchObject(notFound)
    expect(lettersTo(service, user.email)).toHaveLength(1)
  })

  test('nor is one that was deleted, nor by a key that was replaced', async () => {
    const [gone, renewed] = [await customer(), await customer()]
    await start(gone.subscription_key)
    const token = gone.session_token
    expect((await service.call('DELETE', '/v1/profile', { token })).status).toBe(200)
    await service.customer(renewed, 'PATCH', '/profile/subscriptionLink')
    for (const { subscription_key } of [gone, renewed]) {
      expect((await start(subscription_key)).body).toMatchObject(notFound)
      expect((await verify(subscription_key, '123456')).body).toMatchObject(notFound)
    }
    expect(lettersTo(service, renewed.email)).toEqual([])
  })
})

describe('what strangers can do with it is bounded', () => {
  test('wrong codes count where those of the address do: ten an hour', async () => {
    const user = await customer()
    const visitor = new Visitor(service)
    const statuses: number[] = []
    for (let at = 0; at < 10; at++) {
      if (at % 4 === 0) await start(user.subscription_key)
      const wrong = anotherCode(codeTo(service, user.email))
      const byKey = at % 2 === 0
      const answer = byKey
        ? await verify(user.subscription_key, wrong)
        : await visitor.verify(user.email, wrong)
      statuses.push(answer.status)
    }
    expect(statuses).toEqual(Array(10).fill(401))
    const right = codeTo(service, user.email)
    expect((await verify(user.subscription_key, right)).status).toBe(429)
    expect((await visitor.verify(user.email, right)).status).toBe(429)
    // The long code needs no try.
    expect((await verify(user.subscription_key, longCodeTo(service, user.email))).status).toBe(200)
  })

  test('a key that got about brings six letters an hour and twelve a day, and never keeps its owner out', async () => {
    const user = await customer()
    const answers = []
    for (let n = 1; n <= 9; n++) answers.push(await start(user.subscription_key, `203.0.113.${n}`))
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200))
    expect(answers.filter(({ body }) => body.data.expires_at !== null)).toHaveLength(6)
    expect(lettersTo(service, user.email)).toHaveLength(6)
    for (let hour = 1; hour < 4; hour++) {
      service.clock.advance(3600)
      for (let n = 1; n <= 9; n++) await start(user.subscription_key, `203.0.113.${n}`)
    }
    expect(lettersTo(service, user.email)).toHaveLength(12)
    const owner = new Visitor(service, '198.51.100.1')
    expect((await owner.enter(user.email)).user_id).toBe(user.id)
  })

  test('whoever causes no letter is told neither the address nor the other ways', async () => {
    const user = await customer()
    const init_data = initDataOf(6_000_000_002, service.clock.now())
    const link = { body: { init_data, link: true }, token: user.session_token }
    expect((await service.call('POST', '/v1/auth/telegram', link)).status).toBe(200)
    const told = { email_hint: 'p•••@e•••.com', passkey: false, telegram: true, oauth: [] }
    for (let n = 1; n <= 6; n++)
      expect((await start(user.subscription_key, `203.0.113.${n}`)).body.data).toMatchObject(told)
    expect((await start(user.subscription_key, '203.0.113.7')).body.data).toEqual({
      expires_at: null,
      email_hint: null,
      passkey: false,
      telegram: false,
      oauth: [],
    })
    expect(lettersTo(service, user.email)).toHaveLength(6)
  })

  test('whoever asks while a letter lies there is told of it', async () => {
    const user = await customer()
    for (let n = 1; n <= 30; n++) await new Visitor(service, `203.0.113.${n}`).start(user.email)
    const sent = lettersTo(service, user.email).length
    expect(sent).toBeLessThan(30)
    const { data } = (await start(user.subscription_key, '198.51.100.7')).body
    expect(data).toMatchObject({ expires_at: expect.any(Number), email_hint: 'p•••@e•••.com' })
    expect(lettersTo(service, user.email)).toHaveLength(sent)
  })

  test('one network is refused as it is by the address: ten an hour together', async () => {
    const user = await customer()
    const visitor = new Visitor(service)
    for (let n = 0; n < 10; n++)
      expect((await (n % 2 ? start(user.subscription_key) : visitor.start(user.email))).status).toBe(200)
    expect((await start(user.subscription_key)).status).toBe(429)
    expect((await visitor.start(user.email)).status).toBe(429)
  })

  test('wrong keys are guesses like those at /sub, counted together, and right ones are none', async () => {
    const user = await customer()
    const state = (subscription_key: string) =>
      service.call('POST', '/v1/subscription/state', { body: { subscription_key } })
    for (const ask of [start, (key: string) => verify(key, '123456'), state])
      expect((await ask(madeUp)).body).toMatchObject(notFound)
    expect((await service.call('GET', `/sub/${madeUp}`)).status).toBe(404)
    const counted = await service.db
      .selectFrom('security_counters')
      .selectAll()
      .where('key', 'like', 'subscription:%')
      .execute()
    expect(counted).toMatchObject([{ count: 4 }])
    await service.db
      .updateTable('security_counters')
      .set({ count: 300 })
      .where('key', 'like', 'subscription:%')
      .execute()
    for (const ask of [start, (key: string) => verify(key, '123456'), state]) {
      const { status, headers } = await ask(madeUp)
      expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
    }
    for (const ask of [start, state]) expect((await ask(user.subscription_key)).status).toBe(200)
  })

  test('neither an answer nor a letter holds the key, and no answer the address', async () => {
    const user = await customer()
    const answer = JSON.stringify((await start(user.subscription_key)).body)
    expect(answer).not.toContain(user.email)
    expect(answer).not.toContain(user.subscription_key)
    expect(lettersTo(service, user.email).join()).not.toContain(user.subscription_key)
  })
})
