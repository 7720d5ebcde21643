import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Algorithm,
  type Cbor,
  type Circumstances,
  SoftPasskey,
} from '../../../../../test/support/people/authenticator.ts'
import { PasskeyPage } from '../../../../../test/support/people/passkeys.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { insertSession } from '../../../core/accounts/users.ts'

let service: TestService
let page: PasskeyPage
let origin: string
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  page = new PasskeyPage(service)
  origin = page.origin
})
afterAll(() => service.stop())

/** The same customer, signed in once more. */
const elsewhere = async (user: TestUser): Promise<TestUser> => {
  const { db, sessions } = service.running.services
  const { token } = await sessions.issue(await insertSession(db, user.id, service.clock.now()), user.id)
  return { ...user, session_token: token }
}

test('what the browser needs, with a challenge that is kept as a hash', async () => {
  const user = await service.createUser({ email: 'passkeys@example.com' })
  const { uuid } = (await service.customer(user, 'GET', '/profile')).body.data
  const passkey = new SoftPasskey()
  await page.register(user, passkey)
  const options = await page.begin(user)
  expect(options).toEqual({
    rp: { id: 'localhost', name: 'Sallyport' },
    user: {
      id: Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url'),
      name: 'passkeys@example.com',
      displayName: 'passkeys@example.com',
    },
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ alg, type: 'public-key' })),
    timeout: 300_000,
    attestation: 'none',
    excludeCredentials: [
      { id: passkey.id.toString('base64url'), type: 'public-key', transports: ['internal'] },
    ],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  })
  const kept = await service.db.selectFrom('passkey_challenges').selectAll().execute()
  const hashes = kept.map((row) => Buffer.from(row.challenge_hash).toString('base64url'))
  expect(hashes).not.toContain(options.challenge)
  const nameless = await service.createUser()
  expect((await page.begin(nameless)).user.name).toBe(`#${nameless.id}`)
})

test('a passkey is registered once, listed under its name, and noted', async () => {
  const user = await service.createUser()
  const passkey = new SoftPasskey().create(await page.begin(user), { origin })
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => page.verifyNew(user, { ...passkey, title: 'My phone' })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400])
  const listed = {
    id: expect.any(Number),
    title: 'My phone',
    created_at: service.clock.now(),
    last_used_at: null,
  }
  expect(answers.find(({ status }) => status === 201)?.body.data).toEqual(listed)
  expect(await page.list(user)).toEqual([listed])
  expect(await page.eventsOf(user)).toEqual(['passkey_added'])
})

test('a passkey without a name gets the first number that is free, in the language of the customer', async () => {
  const user = await service.createUser()
  const add = async (language: string) => {
    const body = new SoftPasskey().create(await page.begin(user), { origin })
    return (await page.verifyNew(user, body, { 'accept-language': language })).body.data
  }
  const titles = [await add('en'), await add('ru'), await add('en')].map(({ title }) => title)
  expect(titles).toEqual(['Passkey 1', 'Ключ доступа 1', 'Passkey 2'])
  const [first] = await page.list(user)
  await page.remove(user, first.id)
  expect((await add('en')).title).toBe('Passkey 1')
})

test.each<[string, Partial<Circumstances>]>([
  ['made on another site', { origin: 'https://vpn.example.com' }],
  ['made on another port', { origin: 'http://localhost:1' }],
  ['made for another site', { rpId: 'example.com' }],
  ['made without verifying the user', { isVerified: false }],
  ['made with nobody there', { isPresent: false }],
  ['a sign-in', { type: 'webauthn.get' }],
  ['made in a frame of another site', { crossOrigin: true }],
])('a passkey that was %s is refused, and its challenge is spent', async (_, circumstances) => {
  const user = await service.createUser()
  const options = await page.begin(user)
  const refused = await page.verifyNew(user, new SoftPasskey().create(options, { origin, ...circumstances }))
  expect(refused.status).toBe(400)
  expect(refused.body.details[0].problem).toContain('POST /profile/passkeys')
  const second = await page.verifyNew(user, new SoftPasskey().create(options, { origin }))
  expect(second.status).toBe(400)
})

test('check 27: a challenge serves the session that asked for it, for five minutes, and nothing else', async () => {
  const [user, stranger] = [await service.createUser(), await service.createUser()]
  const passkey = new SoftPasskey()
  const answers = async (challenge: string) =>
    (await page.verifyNew(user, passkey.create({ ...(await page.begin(user)), challenge }, { origin })))
      .status
  expect(await answers((await page.begin(stranger)).challenge)).toBe(400)
  expect(await answers((await page.begin(await elsewhere(user))).challenge)).toBe(400)
  expect(await answers((await page.ask()).challenge)).toBe(400)
  expect(await answers('bWFkZSB1cA')).toBe(400)
  const { challenge: late } = await page.begin(user)
  service.clock.advance(300)
  expect(await answers(late)).toBe(400)
  const { challenge: intime } = await page.begin(user)
  service.clock.advance(299)
  expect(await answers(intime)).toBe(201)
})

test.each<[Algorithm, number, number]>([
  ['ES256', 32, 201],
  ['EdDSA', 1023, 201],
  ['RS256', 16, 201],
  ['ES384', 32, 400],
  ['ES256', 1024, 400],
  ['ES256', 6000, 400],
])('%s with an id of %i bytes: %i', async (algorithm, idBytes, status) => {
  const user = await service.createUser()
  expect((await page.register(user, new SoftPasskey({ algorithm, idBytes }))).status).toBe(status)
})

test('an attestation that nobody asked for is not looked at', async () => {
  const user = await service.createUser()
  const attStmt = new Map<string, Cbor>([
    ['alg', -7],
    ['sig', Buffer.alloc(8)],
    ['x5c', [Buffer.from('no certificate')]],
  ])
  const body = new SoftPasskey().create(await page.begin(user), { origin }, { fmt: 'packed', attStmt })
  expect((await page.verifyNew(user, body)).status).toBe(201)
})

test('nobody registers a passkey that is registered', async () => {
  const [owner, thief] = [await service.createUser(), await service.createUser()]
  const passkey = new SoftPasskey()
  expect((await page.register(owner, passkey)).status).toBe(201)
  for (const user of [owner, thief]) {
    const { status, body } = await page.register(user, passkey)
    expect([status, body.message, body.details[0].path]).toEqual([409, 'CONFLICT', 'id'])
  }
  expect(await page.list(thief)).toEqual([])
})

test('at most 20, even when they come at once', async () => {
  const user = await service.createUser()
  const bodies: object[] = []
  for (let made = 0; made < 23; made++)
    bodies.push(new SoftPasskey().create(await page.begin(user), { origin }))
  const answers = await Promise.all(bodies.map((body) => page.verifyNew(user, body)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(3)
  expect(await page.list(user)).toHaveLength(20)
  expect((await page.profile(user, 'POST')).status).toBe(409)
})

test('the passkeys of somebody else do not exist', async () => {
  const [owner, stranger] = [await service.createUser(), await service.createUser()]
  const { id } = (await page.register(owner)).body.data
  const foreign = await page.remove(stranger, id)
  expect(foreign.status).toBe(404)
  expect(foreign.body).toEqual((await page.remove(stranger, 999_999_999)).body)
  expect(await page.list(owner)).toHaveLength(1)
})

test('a session that ended a moment ago registers nothing', async () => {
  const user = await service.createUser()
  const made = new SoftPasskey().create(await page.begin(user), { origin })
  // Behind the back of the service, which goes on to know them for a moment.
  const sessions = service.db.updateTable('sessions').where('user_id', '=', user.id)
  await sessions.set({ revoked_at: service.clock.now() }).execute()
  expect((await page.verifyNew(user, made)).status).toBe(401)
  await service.db.deleteFrom('sessions').where('user_id', '=', user.id).execute()
  const { status, body } = await page.profile(user, 'POST')
  expect([status, body.errorCode]).toEqual([401, 2])
})

test('old challenges are forgotten', async () => {
  await page.begin(await service.createUser())
  await page.ask()
  service.clock.advance(300)
  await page.begin(await service.createUser())
  await service.running.runJobs()
  expect(await service.db.selectFrom('passkey_challenges').select('session_id').execute()).toHaveLength(1)
})

test('without a domain name there are no passkeys', async () => {
  const bare = await startTestService({ env: { PUBLIC_URL: 'https://203.0.113.7' } })
  try {
    const { session_token: token } = await bare.createUser()
    const answers = [
      await bare.call('POST', '/v1/profile/passkeys', { token }),
      await bare.call('POST', '/v1/auth/passkey/options'),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(409)
      expect(body.details[0].problem).toContain('PUBLIC_URL')
    }
  } finally {
    await bare.stop()
  }
})
