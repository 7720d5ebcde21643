import { afterAll, beforeAll, expect, test } from 'vitest'
import { PasskeyPage } from '../../../../../test/support/people/passkeys.ts'
import { botToken } from '../../../../../test/support/people/telegram.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'

let service: TestService
let page: PasskeyPage
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, env: { TELEGRAM_BOT_TOKEN: botToken } })
  page = new PasskeyPage(service)
})
afterAll(() => service.stop())

interface Way {
  readonly kind: 'passkeys' | 'identities'
  readonly id: number
}

let people = 0
/** An account at a provider; nobody asks `former` any more, so it lets nobody in. */
const linkTo = async (user: TestUser, provider: 'telegram' | 'former'): Promise<Way> => {
  const identity = { user_id: user.id, provider, subject: String(++people), created_at: service.clock.now() }
  const insert = service.db.insertInto('identities').values(identity).returning('id')
  return { kind: 'identities', ...(await insert.executeTakeFirstOrThrow()) }
}
const addPasskey = async (user: TestUser): Promise<Way> => ({
  kind: 'passkeys',
  id: (await page.register(user)).body.data.id,
})
const remove = (user: TestUser, { kind, id }: Way) =>
  service.call('DELETE', `/v1/profile/${kind}/${id}`, { token: user.session_token })

type Kind = 'email' | 'passkey' | 'telegram' | 'former'
const give = (user: TestUser, kind: Exclude<Kind, 'email'>): Promise<Way> =>
  kind === 'passkey' ? addPasskey(user) : linkTo(user, kind)

const events: Readonly<Record<Way['kind'], string>> = {
  passkeys: 'passkey_deleted',
  identities: 'identity_unlinked',
}

test.each<[Exclude<Kind, 'email'>, Kind | 'nothing', number]>([
  ['passkey', 'nothing', 409],
  ['passkey', 'email', 200],
  ['passkey', 'passkey', 200],
  ['passkey', 'telegram', 200],
  ['passkey', 'former', 409],
  ['telegram', 'nothing', 409],
  ['telegram', 'email', 200],
  ['telegram', 'passkey', 200],
  ['telegram', 'telegram', 200],
  ['telegram', 'former', 409],
  ['former', 'telegram', 200],
])('removing a way (%s) of an account that also has %s: %i', async (kind, other, status) => {
  const email = other === 'email' ? { email: `way-${kind}@example.com` } : {}
  const user = await service.createUser(email)
  if (other !== 'email' && other !== 'nothing') await give(user, other)
  const way = await give(user, kind)
  const answer = await remove(user, way)
  expect(answer.status).toBe(status)
  const isGone = status === 200
  expect((await page.eventsOf(user)).includes(events[way.kind])).toBe(isGone)
  expect((await remove(user, way)).status).toBe(isGone ? 404 : 409)
})

test.each<[string, readonly Exclude<Kind, 'email'>[]]>([
  ['two passkeys', ['passkey', 'passkey']],
  ['two accounts elsewhere', ['telegram', 'telegram']],
  ['one of each', ['passkey', 'telegram']],
])('of the last two ways (%s), removed at once, one stays', async (_name, kinds) => {
  for (let round = 0; round < 5; round++) {
    const user = await service.createUser()
    const ways: Way[] = []
    for (const kind of kinds) ways.push(await give(user, kind))
    const answers = await Promise.all(ways.map((way) => remove(user, way)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  }
})
