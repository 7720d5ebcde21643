import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dumpOf } from '../../../../../test/support/people/mailbox.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { issueBareCode } from '../../../core/accounts/one-time-codes.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, env: { TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => service.stop())
// All tests come from one address, whose own limit is not what they are about.
beforeEach(() => service.db.deleteFrom('security_counters').execute())

let people = 0
const newUser = async () => {
  const email = `person${++people}@example.com`
  return { ...(await service.createUser({ email })), email }
}

const send = async (path: string, body: object, ip?: string) => {
  const response = await fetch(`${service.running.url}/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(ip !== undefined && { 'x-forwarded-for': ip }) },
    body: JSON.stringify(body),
  })
  const headers = [...response.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  return { status: response.status, headers, text: await response.text() }
}
const dataOf = ({ text }: { text: string }) => JSON.parse(text).data
const make = async (user: TestUser, path: string) => {
  const { status, body } = await service.call('POST', `/v1/profile/${path}`, { token: user.session_token })
  expect(status).toBe(201)
  expect(body.data.expires_at).toBe(service.clock.now() + 600)
  return (body.data.code ?? body.data.password) as string
}
const methodOf = async (token: string) =>
  (await service.call('GET', '/v1/profile', { token })).body.data.sign_in_method

/** Another symbol at the end. */
const spoilt = (code: string) => code.slice(0, -1) + (code.endsWith('Z') ? 'Y' : 'Z')

interface Way {
  readonly make: (user: TestUser) => Promise<string>
  readonly use: (user: TestUser & { email: string }, code: string, ip?: string) => ReturnType<typeof send>
}

const ways: Record<string, Way> = {
  'a sign-in code': {
    make: (user) => make(user, 'signInCode'),
    use: (_user, code, ip) => send('signInCode', { code }, ip),
  },
  'a one-time password': {
    make: (user) => make(user, 'otp'),
    use: (user, password, ip) => send('otp', { login: user.email, password }, ip),
  },
}

describe.each(Object.entries(ways))('%s', (_name, { make, use }) => {
  test('check 28: it opens a session of its account, once, however it is typed', async () => {
    const user = await newUser()
    const code = await make(user)
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4})+$/)
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'i')} `
    const entered = await use(user, typed)
    expect(dataOf(entered)).toMatchObject({ user_id: user.id, is_new_account: false })
    expect(await methodOf(dataOf(entered).session_token)).toBe('signIn')
    expect((await use(user, code)).status).toBe(401)
  })

  test('check 28: it lasts 600 seconds, exactly', async () => {
    const [early, late] = [await newUser(), await newUser()]
    const codes = [await make(early), await make(late)] as const
    service.clock.advance(599)
    expect((await use(early, codes[0])).status).toBe(200)
    service.clock.advance(1)
    expect((await use(late, codes[1])).status).toBe(401)
  })

  test('is replaced by the next one', async () => {
    const user = await newUser()
    const [old, code] = [await make(user), await make(user)]
    expect((await use(user, old)).status).toBe(401)
    expect((await use(user, code)).status).toBe(200)
  })

  test('has five tries, and 50 wrong ones at once do not buy one more', async () => {
    const [patient, hasty] = [await newUser(), await newUser()]
    const code = await make(patient)
    for (let at = 0; at < 4; at++) expect((await use(patient, spoilt(code))).status).toBe(401)
    expect((await use(patient, code)).status).toBe(200)
    const other = await make(hasty)
    const answers = await Promise.all(Array.from({ length: 50 }, () => use(hasty, spoilt(other))))
    for (const { status } of answers) expect([401, 429]).toContain(status)
    expect((await use(hasty, other)).status).toBe(429)
    const { tries_left } = await service.db
      .selectFrom('sign_in_codes')
      .select('tries_left')
      .where('user_id', '=', hasty.id)
      .executeTakeFirstOrThrow()
    expect(tries_left).toBe(20_000 - 5)
  })

  test('check 28: it is refused after five wrong tries, even when it is right', async () => {
    const user = await newUser()
    const code = await make(user)
    for (let at = 0; at < 5; at++) await use(user, spoilt(code))
    expect((await use(user, code)).status).toBe(401)
  })

  test('is not used up by strangers, from however many networks they try', async () => {
    const user = await newUser()
    const code = await make(user)
    for (let network = 0; network < 40; network++) {
      const guess = () => use(user, spoilt(code), `203.0.${network}.1`)
      for (const { status } of await Promise.all(Array.from({ length: 6 }, guess))) expect(status).toBe(401)
    }
    expect((await use(user, code, '203.0.7.1')).status).toBe(401)
    expect((await use(user, code, '198.51.100.1')).status).toBe(200)
  })

  test('check 28: it opens one session when it is used 20 times at once', async () => {
    const user = await newUser()
    const code = await make(user)
    const answers = await Promise.all(Array.from({ length: 20 }, () => use(user, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('can be made and used at the same time', async () => {
    const user = await newUser()
    const work = Array.from({ length: 12 }, async () => (await use(user, await make(user))).status)
    for (const status of await Promise.all(work)) expect([200, 401, 429]).toContain(status)
    const alive = service.db.selectFrom('sign_in_codes').select('kind').where('user_id', '=', user.id)
    expect((await alive.execute()).length).toBeLessThanOrEqual(1)
  })

  test('does not open a blocked account', async () => {
    const user = await newUser()
    const code = await make(user)
    await service.db.updateTable('users').set({ is_blocked: true }).where('id', '=', user.id).execute()
    expect((await use(user, code)).status).toBe(403)
  })

  test('is not kept, only its keyed hash', async () => {
    const user = await newUser()
    const code = await make(user)
    const dump = await dumpOf(service)
    for (const text of [code, code.replaceAll('-', ''), code.slice(-9)]) expect(dump).not.toContain(text)
  })

  test('check 29: wrong, used, old or never made: one answer', async () => {
    const [used, old, never] = [await newUser(), await newUser(), await newUser()]
    const oldCode = await make(old)
    service.clock.advance(600)
    const usedCode = await make(used)
    await use(used, usedCode)
    const answer = await use(never, spoilt(usedCode))
    expect(answer.status).toBe(401)
    expect(await use(used, usedCode)).toEqual(answer)
    expect(await use(old, oldCode)).toEqual(answer)
    expect(await use(never, 'what is this')).toEqual(answer)
    expect(await use({ ...never, email: 'nobody@example.com' }, usedCode)).toEqual(answer)
  })
})

describe('the login of a one-time password', () => {
  const enter = async (user: TestUser, login: string) =>
    send('otp', { login, password: await make(user, 'otp') })

  test('is the e-mail or the number of the account', async () => {
    const user = await newUser()
    for (const login of [user.email, ` ${user.email.toUpperCase()} `, String(user.id), ` 0${user.id}`]) {
      const entered = await enter(user, login)
      expect([login, entered.status]).toEqual([login, 200])
      expect(dataOf(entered).user_id).toBe(user.id)
    }
  })

  test('has to be the account’s own', async () => {
    const [user, other] = [await newUser(), await newUser()]
    for (const login of [
      other.email,
      String(other.id),
      '9'.repeat(16),
      '9'.repeat(200),
      '-1',
      '1e3',
      'null',
    ]) {
      const entered = await enter(user, login)
      expect([login, entered.status]).toEqual([login, 401])
    }
  })

  test('check 29: it allows ten wrong tries an hour, whether or not there is such an account', async () => {
    const user = await newUser()
    for (const login of [user.email, 'nobody-at-all@example.com']) {
      const guess = () => send('otp', { login, password: '0000-0000' })
      for (let at = 0; at < 10; at++) expect((await guess()).status).toBe(401)
      const refused = await guess()
      expect(refused.status).toBe(429)
      expect(new Map(refused.headers as [string, string][]).get('retry-after')).toBe(
        String(3600 - (service.clock.now() % 3600)),
      )
    }
  })
})

test('a code that stands for a sign-in elsewhere keeps the name of that way', async () => {
  const user = await newUser()
  const { db, vault } = service.running.services
  const { code } = await issueBareCode(db, vault, {
    kind: 'exchange',
    method: 'google',
    ttlSeconds: 60,
    userId: user.id,
    now: service.clock.now(),
  })
  const entered = await send('signInCode', { code })
  expect(dataOf(entered).user_id).toBe(user.id)
  expect(await methodOf(dataOf(entered).session_token)).toBe('google')
  expect((await send('signInCode', { code })).status).toBe(401)
})

test('a code for moving an account does not sign in', async () => {
  const user = await newUser()
  const { db, vault } = service.running.services
  const { code } = await issueBareCode(db, vault, {
    kind: 'transfer',
    userId: user.id,
    now: service.clock.now(),
  })
  expect((await send('signInCode', { code })).status).toBe(401)
})
