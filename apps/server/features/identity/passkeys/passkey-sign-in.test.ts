import { randomBytes } from 'node:crypto'
import type { PasskeyAssertion } from '@sallyport/contract/customer/auth-shapes'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Algorithm,
  type Circumstances,
  SoftPasskey,
} from '../../../../../test/support/people/authenticator.ts'
import { PasskeyPage } from '../../../../../test/support/people/passkeys.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

let service: TestService
let page: PasskeyPage
let origin: string
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  page = new PasskeyPage(service)
  origin = page.origin
})
afterAll(() => service.stop())

const customer = async ({ algorithm = 'ES256' as Algorithm, counter = 0 } = {}) => {
  const user = await service.createUser()
  const passkey = new SoftPasskey({ algorithm })
  expect((await page.register(user, passkey, { counter })).status).toBe(201)
  return { user, passkey }
}

const refusal = {
  status: false,
  statusCode: 401,
  errorCode: 2,
  message: 'UNAUTHORIZED',
  details: [{ path: '', problem: 'the passkey was not accepted; ask for a new challenge and try again' }],
}

test('the challenge asks for any passkey of this site, and for the user to be verified', async () => {
  expect(await page.ask()).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    rpId: 'localhost',
    timeout: 300_000,
    userVerification: 'required',
    allowCredentials: [],
  })
})

test.each<Algorithm>([
  'ES256',
  'EdDSA',
  'RS256',
])('check 27: a passkey with %s signs in, once a challenge', async (algorithm) => {
  const { user, passkey } = await customer({ algorithm })
  service.clock.advance(60)
  const assertion = passkey.get(await page.ask(), { origin })
  const answers = await Promise.all(Array.from({ length: 6 }, () => page.verify(assertion)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401])
  const { data } = answers.find(({ status }) => status === 200)?.body ?? {}
  expect(data).toMatchObject({ user_id: user.id, is_new_account: false })
  const profile = await service.call('GET', '/v1/profile', { token: data.session_token })
  expect(profile.body.data).toMatchObject({ id: user.id, sign_in_method: 'signIn' })
  const [listed] = await page.list(user)
  expect(listed.last_used_at).toBe(service.clock.now())
  expect(await page.eventsOf(user)).toEqual(['passkey_added', 'signed_in'])
  expect((await page.verify(assertion)).body).toEqual(refusal)
})

test.each<[string, Partial<Circumstances>]>([
  ['on another site', { origin: 'https://vpn.example.com' }],
  ['on another port', { origin: 'http://localhost:1' }],
  ['for another site', { rpId: 'example.com' }],
  ['without verifying the user', { isVerified: false }],
  ['with nobody there', { isPresent: false }],
  ['as a registration', { type: 'webauthn.create' }],
  ['in a frame of another site', { crossOrigin: true }],
  ['for a challenge that was made up', { challenge: randomBytes(32).toString('base64url') }],
])('check 27: what was signed %s is refused', async (_, circumstances) => {
  const { passkey } = await customer()
  expect((await page.signIn(passkey, circumstances)).body).toEqual(refusal)
  expect((await page.signIn(passkey)).status).toBe(200)
})

/** One bit of the last byte of a text in base64url is another. */
const bent = (text: string): string => {
  const bytes = Buffer.from(text, 'base64url')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  return bytes.toString('base64url')
}

type Change = (assertion: PasskeyAssertion, other: SoftPasskey) => object
const changed = (assertion: PasskeyAssertion, response: object) => ({
  ...assertion,
  response: { ...assertion.response, ...response },
})

test.each<[string, Change]>([
  ['another signature', (given) => changed(given, { signature: bent(given.response.signature) })],
  ['other data', (given) => changed(given, { authenticatorData: bent(given.response.authenticatorData) })],
  ['the handle of nobody', (given) => changed(given, { userHandle: randomBytes(16).toString('base64url') })],
  ['an empty handle', (given) => changed(given, { userHandle: '' })],
  ['an unknown passkey', (given) => ({ ...given, id: 'AAAA', rawId: 'AAAA' })],
  ['two ids', (given) => ({ ...given, rawId: 'AAAA' })],
  [
    'the id of somebody else’s passkey',
    (given, other) => {
      const id = other.id.toString('base64url')
      return { ...changed(given, { userHandle: null }), id, rawId: id }
    },
  ],
])('an answer with %s is refused, and its challenge is spent', async (_, change) => {
  const [{ passkey }, { passkey: other }] = [await customer(), await customer()]
  const options = await page.ask()
  expect((await page.verify(change(passkey.get(options, { origin }), other))).body).toEqual(refusal)
  expect((await page.verify(passkey.get(options, { origin }))).body).toEqual(refusal)
})

test('a handle may be left out', async () => {
  const { passkey } = await customer()
  expect(
    (await page.verify(changed(passkey.get(await page.ask(), { origin }), { userHandle: null }))).status,
  ).toBe(200)
})

test('a challenge to register does not sign in, nor does one older than five minutes', async () => {
  const { user, passkey } = await customer()
  const { challenge } = await page.begin(user)
  expect((await page.signIn(passkey, { challenge })).body).toEqual(refusal)
  const options = await page.ask()
  service.clock.advance(300)
  expect((await page.verify(passkey.get(options, { origin }))).body).toEqual(refusal)
})

test('a count that goes back is refused and noted, but only when the passkey itself signed it', async () => {
  const { user, passkey } = await customer({ counter: 5 })
  expect((await page.signIn(passkey, { counter: 6 })).status).toBe(200)
  const forged = passkey.get(await page.ask(), { origin, counter: 1 })
  expect((await page.verify(changed(forged, { signature: bent(forged.response.signature) }))).status).toBe(
    401,
  )
  expect(await page.eventsOf(user)).toEqual(['passkey_added', 'signed_in'])
  for (const counter of [6, 3, 0]) expect((await page.signIn(passkey, { counter })).body).toEqual(refusal)
  const suspicions = Array<string>(3).fill('passkey_suspicious')
  expect(await page.eventsOf(user)).toEqual(['passkey_added', 'signed_in', ...suspicions])
  expect((await page.signIn(passkey, { counter: 7 })).status).toBe(200)
})

test('two copies of a key that sign at once do not both get in', async () => {
  const { passkey } = await customer({ counter: 1 })
  const assertions = [await page.ask(), await page.ask(), await page.ask()].map((options) =>
    passkey.get(options, { origin, counter: 2 }),
  )
  const answers = await Promise.all(assertions.map((assertion) => page.verify(assertion)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
})

test('a passkey that does not count, or begins to, is trusted', async () => {
  const { passkey } = await customer()
  for (const counter of [0, 0, 4]) expect((await page.signIn(passkey, { counter })).status).toBe(200)
})

test('a deleted passkey opens nothing; a blocked account stays closed', async () => {
  const { user, passkey } = await customer()
  const second = new SoftPasskey()
  await page.register(user, second)
  const [first] = await page.list(user)
  expect((await page.remove(user, first.id)).status).toBe(200)
  expect((await page.signIn(passkey)).body).toEqual(refusal)
  await service.db.updateTable('users').set({ is_blocked: true }).where('id', '=', user.id).execute()
  expect((await page.signIn(second)).status).toBe(403)
})

test('nonsense is refused like everything else, never answered with a failure of ours', async () => {
  const { user, passkey } = await customer()
  const nested = Buffer.alloc(14_000, 0x81)
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((array) => Buffer.from(array)),
    fc.constant(nested),
    fc.constantFrom('null', '[]', '1', '{"challenge":7}', '{').map((text) => Buffer.from(text)),
  )
  const text = bytes.map((buffer) => buffer.toString('base64url'))
  const tail = fc.tuple(fc.constantFrom(0x45, 0xc5, 0x85), bytes).map(([flags, rest]) => {
    const data = Buffer.from(passkey.get(request, { origin }).response.authenticatorData, 'base64url')
    data[32] = flags
    return Buffer.concat([data, rest]).toString('base64url')
  })
  const request = await page.ask()
  const assertionFields = fc.record(
    { clientDataJSON: text, authenticatorData: fc.oneof(text, tail), signature: text },
    { requiredKeys: [] },
  )
  const attestationFields = fc.record({ clientDataJSON: text, attestationObject: text }, { requiredKeys: [] })
  const isRefused = (status: number) => expect([400, 401]).toContain(status)
  await fc.assert(
    fc.asyncProperty(assertionFields, attestationFields, async (assertion, attestation) => {
      const signed = changed(passkey.get(await page.ask(), { origin }), { signature: 'AAAA', ...assertion })
      isRefused((await page.verify(signed)).status)
      const made = new SoftPasskey().create(await page.begin(user), { origin })
      const response = { ...made.response, attestationObject: 'oA', ...attestation }
      isRefused((await page.verifyNew(user, { ...made, response })).status)
    }),
    { numRuns: 60 },
  )
})
