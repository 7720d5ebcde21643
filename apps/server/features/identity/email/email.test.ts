import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  anotherCode,
  codeTo,
  lettersTo,
  longCodeTo,
  newAddress,
  Visitor,
} from '../../../../../test/support/people/mailbox.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

let service: TestService
let visitor: Visitor
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  visitor = new Visitor(service)
})
afterAll(() => service.stop())
// All tests come from one address, whose own limit is not what they are about.
beforeEach(() => service.db.deleteFrom('security_counters').execute())

const profileOf = async (token: string) => (await service.call('GET', '/v1/profile', { token })).body.data
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status).sort()

const accounts = (email: string) =>
  service.db.selectFrom('users').select(['id', 'referrer_id']).where('email', '=', email).execute()

describe('the code', () => {
  test('lies in the mailbox when the answer arrives, and makes an account, then opens it', async () => {
    const email = newAddress()
    const started = await visitor.start(email)
    expect(started.body.data).toEqual({ expires_at: service.clock.now() + 600 })
    const first = await visitor.verify(email, codeTo(service, email))
    expect(first.body.data).toMatchObject({ is_new_account: true })
    expect(await profileOf(first.body.data.session_token)).toMatchObject({
      id: first.body.data.user_id,
      email,
      sign_in_method: 'authCode',
    })
    const second = await visitor.enter(email)
    expect(second).toMatchObject({ is_new_account: false, user_id: first.body.data.user_id })
    expect(second.session_token).not.toBe(first.body.data.session_token)
  })

  test('opens the account however the address is typed', async () => {
    const email = newAddress()
    const { user_id } = await visitor.enter(email)
    const typed = ` ${email.toUpperCase()} `
    expect((await visitor.start(typed)).status).toBe(200)
    const answer = await visitor.verify(` P${email.slice(1)}`, codeTo(service, email))
    expect(answer.body.data.user_id).toBe(user_id)
  })

  test('is mailed in the language of the caller', async () => {
    const email = newAddress()
    await visitor.start(email, {}, { 'accept-language': 'en' })
    await visitor.start(email, {}, { 'accept-language': 'ru,en;q=0.5' })
    const [english, russian] = lettersTo(service, email)
    expect(english).toContain('lasts 10\u00a0minutes')
    expect(russian).toContain('действует 10\u00a0минут')
  })

  test('check 28: it lasts 600 seconds, exactly', async () => {
    const [early, late] = [newAddress(), newAddress()]
    const codes = [await visitor.ask(early), await visitor.ask(late)] as const
    service.clock.advance(599)
    expect((await visitor.verify(early, codes[0])).status).toBe(200)
    service.clock.advance(1)
    expect((await visitor.verify(late, codes[1])).status).toBe(401)
  })

  test('is replaced by the next one', async () => {
    const email = newAddress()
    const old = await visitor.ask(email)
    let code = await visitor.ask(email)
    while (code === old) code = await visitor.ask(email)
    expect((await visitor.verify(email, old)).status).toBe(401)
    expect((await visitor.verify(email, code)).status).toBe(200)
  })

  test('check 28: it has five tries: the sixth is refused even when it is right', async () => {
    const email = newAddress()
    const code = await visitor.ask(email)
    for (let at = 0; at < 5; at++) expect((await visitor.verify(email, anotherCode(code))).status).toBe(401)
    expect((await visitor.verify(email, code)).status).toBe(401)
    expect(await accounts(email)).toEqual([])
  })

  test('of 50 wrong ones at once none buys a try more', async () => {
    const email = newAddress()
    const code = await visitor.ask(email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => visitor.verify(email, anotherCode(code))),
    )
    for (const { status } of answers) expect([401, 429]).toContain(status)
    expect((await visitor.verify(email, code)).status).not.toBe(200)
    expect(await accounts(email)).toEqual([])
  })

  test.each([
    ['digits are', codeTo],
    ['long code is', longCodeTo],
  ])('check 28: it opens one session when its %s used 20 times at once', async (_form, codeIn) => {
    const email = newAddress()
    await visitor.start(email)
    const code = codeIn(service, email)
    const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.verify(email, code)))
    expect(statuses(answers).filter((status) => status === 200)).toHaveLength(1)
    const [account, ...others] = await accounts(email)
    expect(others).toEqual([])
    const sessions = await service.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', account?.id ?? 0)
      .execute()
    expect(sessions).toHaveLength(1)
  })
})

describe('nobody learns who has an account', () => {
  const bytes = async (path: string, body: object) => {
    const response = await fetch(`${service.running.url}/v1/auth/email/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const headers = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    return { status: response.status, headers, text: await response.text() }
  }

  test('check 29: from asking for a code', async () => {
    const known = newAddress()
    await visitor.enter(known)
    const bad = { referral_code: 'NOSUCHCODE' }
    for (const more of [{}, bad]) {
      const answer = await bytes('start', { email: known, ...more })
      expect(await bytes('start', { email: newAddress(), ...more })).toEqual(answer)
      expect(answer.status).toBe(more === bad ? 400 : 200)
    }
  })

  test('check 29: from a code that is wrong, used, old, tried too often, replaced or was never asked for', async () => {
    const [never, used, wrong, old, tried, replaced] = Array.from({ length: 6 }, newAddress) as [
      string,
      ...string[],
    ]
    const oldCode = await visitor.ask(old as string)
    service.clock.advance(600)
    const usedCode = await visitor.ask(used as string)
    await visitor.verify(used as string, usedCode)
    const wrongCode = anotherCode(await visitor.ask(wrong as string))
    const triedCode = await visitor.ask(tried as string)
    for (let at = 0; at < 5; at++) await visitor.verify(tried as string, anotherCode(triedCode))
    const replacedCode = await visitor.ask(replaced as string)
    let newerCode = await visitor.ask(replaced as string)
    while (newerCode === replacedCode) newerCode = await visitor.ask(replaced as string)
    const answer = await bytes('verify', { email: never, code: '000000' })
    expect(answer.status).toBe(401)
    for (const [email, code] of [
      [used, usedCode],
      [wrong, wrongCode],
      [old, oldCode],
      [tried, triedCode],
      [replaced, replacedCode],
    ]) {
      expect(await bytes('verify', { email, code })).toEqual(answer)
    }
  })
})

test('a blocked account is not signed in to', async () => {
  const email = newAddress()
  const { user_id } = await visitor.enter(email)
  await service.db.updateTable('users').set({ is_blocked: true }).where('id', '=', user_id).execute()
  expect((await visitor.verify(email, await visitor.ask(email))).status).toBe(403)
})

test.each([
  '',
  'ann',
  'ann@localhost',
  'a b@example.com',
  'a@b.example, c@d.example',
  'a@b.example\r\nBcc: c@d.e',
])('%j is not an address', async (email) => {
  expect((await visitor.start(email)).status).toBe(400)
})
