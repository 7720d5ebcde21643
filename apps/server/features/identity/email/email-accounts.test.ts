import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeTo, lettersTo, newAddress, Visitor } from '../../../../../test/support/people/mailbox.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { signIn } from '../../../core/accounts/sign-in.ts'

let service: TestService
let visitor: Visitor
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, env: { TRUSTED_PROXIES: '127.0.0.1' } })
  visitor = new Visitor(service)
})
afterAll(() => service.stop())
// All tests come from one address, whose own limit is not what they are about.
beforeEach(() => service.db.deleteFrom('security_counters').execute())

const profileOf = async (token: string) => (await service.call('GET', '/v1/profile', { token })).body.data
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort()

const accounts = (email: string) =>
  service.db.selectFrom('users').select(['id', 'referrer_id']).where('email', '=', email).execute()
const referralsOf = async (id: number) => {
  const { referrals_count } = await service.db
    .selectFrom('users')
    .select('referrals_count')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return referrals_count
}

test('ten first sign-ins of one address at once make one account', async () => {
  const email = newAddress()
  const referrer = await service.createUser()
  const request = {
    proof: { method: 'authCode', email, identity: null },
    referralCode: referrer.referral_code,
    linkTo: undefined,
    origin: { client: null, cookie: undefined, formerCookie: undefined, keptSessionId: undefined },
    now: service.clock.now(),
  }
  const entered = await Promise.all(
    Array.from({ length: 10 }, () => signIn(service.running.services, request)),
  )
  expect(new Set(entered.map(({ user_id }) => user_id)).size).toBe(1)
  expect(entered.filter(({ is_new_account }) => is_new_account)).toHaveLength(1)
  expect(await referralsOf(referrer.id)).toBe(1)
})

describe('a referral code', () => {
  test('that came with the address counts for a new account, once', async () => {
    const referrer = await service.createUser()
    const email = newAddress()
    const code = await visitor.ask(email, { referral_code: referrer.referral_code })
    await Promise.all([visitor.verify(email, code), visitor.verify(email, code)])
    expect(await accounts(email)).toMatchObject([{ referrer_id: referrer.id }])
    expect(await referralsOf(referrer.id)).toBe(1)
  })

  test('that comes with the code counts more', async () => {
    const [earlier, later] = [await service.createUser(), await service.createUser()]
    const email = newAddress()
    const code = await visitor.ask(email, { referral_code: earlier.referral_code })
    await visitor.verify(email, code, { referral_code: later.referral_code })
    expect(await accounts(email)).toMatchObject([{ referrer_id: later.id }])
    expect(await referralsOf(earlier.id)).toBe(0)
  })

  test('that a stranger says in somebody’s name does not count', async () => {
    const stranger = await service.createUser()
    const email = newAddress()
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' }
    await visitor.start(email, { referral_code: stranger.referral_code }, elsewhere)
    expect((await visitor.verify(email, codeTo(service, email))).status).toBe(200)
    expect(await accounts(email)).toMatchObject([{ referrer_id: null }])
  })

  test('never changes who brought an account that exists', async () => {
    const [first, second] = [await service.createUser(), await service.createUser()]
    const email = newAddress()
    await visitor.enter(email, { referral_code: first.referral_code })
    const code = await visitor.ask(email, { referral_code: second.referral_code })
    expect((await visitor.verify(email, code, { referral_code: second.referral_code })).status).toBe(200)
    expect(await accounts(email)).toMatchObject([{ referrer_id: first.id }])
    expect(await referralsOf(second.id)).toBe(0)
  })

  test('check 20: of their own, or of somebody whom they brought, makes nobody their own referrer', async () => {
    const [first, second] = [newAddress(), newAddress()]
    const one = await visitor.enter(first)
    const codeOf = async ({ session_token: token }: { session_token: string }) =>
      (await service.call('GET', '/v1/profile', { token })).body.data.referral_code as string
    await visitor.enter(first, { referral_code: await codeOf(one) })
    const two = await visitor.enter(second, { referral_code: await codeOf(one) })
    await visitor.enter(first, { referral_code: await codeOf(two) })
    await visitor.enter(second, { referral_code: await codeOf(two) })
    expect(await accounts(first)).toMatchObject([{ referrer_id: null }])
    expect(await accounts(second)).toMatchObject([{ referrer_id: one.user_id }])
    expect([await referralsOf(one.user_id), await referralsOf(two.user_id)]).toEqual([1, 0])
  })

  test('that nobody has is refused before a letter is written', async () => {
    const email = newAddress()
    const answer = await visitor.start(email, { referral_code: 'NOSUCHCODE' })
    expect([answer.status, answer.body.details[0].path]).toEqual([400, 'referral_code'])
    expect(lettersTo(service, email)).toEqual([])
  })

  test('that nobody has leaves the right code as it was, with all its tries', async () => {
    const email = newAddress()
    const code = await visitor.ask(email)
    for (let at = 0; at < 12; at++) {
      const answer = await visitor.verify(email, code, { referral_code: 'NOSUCHCODE' })
      expect([answer.status, answer.body.details[0].path]).toEqual([400, 'referral_code'])
    }
    expect(await accounts(email)).toEqual([])
    expect((await visitor.verify(email, code)).status).toBe(200)
  })

  test('whose customer has left meanwhile does not stand in the way', async () => {
    const referrer = await service.createUser()
    const email = newAddress()
    const code = await visitor.ask(email, { referral_code: referrer.referral_code })
    await service.db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', referrer.id).execute()
    expect((await visitor.verify(email, code)).status).toBe(200)
    expect(await accounts(email)).toMatchObject([{ referrer_id: null }])
  })
})

describe('linking', () => {
  test('makes the address the account’s, and tells the old one', async () => {
    const [old, email] = [newAddress(), newAddress()]
    const { session_token: token, user_id } = await visitor.enter(old)
    const answer = await visitor.verify(email, await visitor.ask(email), { link: true }, token)
    expect(answer.body.data).toMatchObject({ user_id, is_new_account: false })
    expect(await profileOf(token)).toMatchObject({ id: user_id, email })
    expect(lettersTo(service, old).at(-1)).toContain('указан другой адрес')
    expect(lettersTo(service, old).at(-1)).not.toContain(email)
    expect(await visitor.enter(email)).toMatchObject({ user_id })
    expect(await visitor.enter(old)).toMatchObject({ is_new_account: true })
  })

  test('tells nobody when nothing changes', async () => {
    const email = newAddress()
    const { session_token: token, user_id } = await visitor.enter(email)
    const again = await visitor.verify(email, await visitor.ask(email), { link: true }, token)
    expect(again.body.data.user_id).toBe(user_id)
    expect(lettersTo(service, email)).toHaveLength(2)
  })

  test('takes no address from another account, and spends nothing', async () => {
    const [mine, theirs] = [newAddress(), newAddress()]
    const { session_token: token } = await visitor.enter(mine)
    const owner = await visitor.enter(theirs)
    const code = await visitor.ask(theirs)
    expect((await visitor.verify(theirs, code, { link: true }, token)).status).toBe(409)
    expect(await profileOf(token)).toMatchObject({ email: mine })
    expect(lettersTo(service, mine)).toHaveLength(1)
    expect((await visitor.verify(theirs, code)).body.data.user_id).toBe(owner.user_id)
  })

  test('gives an address to one of two accounts that want it at once', async () => {
    const email = newAddress()
    const tokens = [await service.createUser(), await service.createUser()].map((user) => user.session_token)
    const code = await visitor.ask(email)
    const answers = await Promise.all(
      tokens.map((token) => visitor.verify(email, code, { link: true }, token)),
    )
    expect(statuses(answers)).toEqual([200, 401])
    expect(await accounts(email)).toHaveLength(1)
  })

  test('needs a session', async () => {
    const email = newAddress()
    const code = await visitor.ask(email)
    expect((await visitor.verify(email, code, { link: true })).status).toBe(401)
    expect((await visitor.verify(email, code, { link: true }, 'nonsense')).status).toBe(401)
    const { api_key } = await service.createUser()
    expect((await visitor.verify(email, code, { link: true }, api_key)).status).toBe(403)
    expect(await accounts(email)).toEqual([])
    expect((await visitor.verify(email, code)).status).toBe(200)
  })
})
