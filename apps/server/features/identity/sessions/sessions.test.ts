import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TestSessions } from '../../../../../test/support/people/sessions.ts'
import { botToken } from '../../../../../test/support/people/telegram.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

const day = 86_400

let service: TestService
let people: TestSessions
beforeAll(async () => {
  service = await startTestService({ env: { TELEGRAM_BOT_TOKEN: botToken }, withoutLimits: true })
  people = new TestSessions(service)
})
afterAll(() => service.stop())

const sessionsOf = ({ user_id }: SignedIn) =>
  service.db.selectFrom('sessions').selectAll().where('user_id', '=', user_id).execute()

describe('ending sessions', () => {
  test('logout ends this one with its refresh tokens; others and API keys stay', async () => {
    const [first, other] = [await people.signIn(), await people.signInAgain()]
    const apiKey = await people.apiKeyOf(first)
    const second = await people.refreshed(first.refresh_token)
    expect((await people.logout(apiKey)).status).toBe(403)
    expect((await people.logout(second.session_token)).body.data).toBe(true)
    for (const { session_token } of [first, second]) expect(await people.statusOf(session_token)).toBe(401)
    for (const { refresh_token } of [second, first])
      expect((await people.refresh(refresh_token)).status).toBe(401)
    expect((await people.logout(second.session_token)).status).toBe(401)
    expect([await people.statusOf(other.session_token), await people.statusOf(apiKey)]).toEqual([200, 200])
    // Nobody stole anything: an ended session is not a reason for alarm.
    expect(await people.eventsOf(first)).not.toContain('refresh_reused')
  })

  test('logoutAll ends every session of the account, and no API key or other account', async () => {
    const mine = [await people.signIn(), await people.signInAgain(), await people.signInAgain()]
    const [stranger, first] = [await people.signIn(), mine[0] as SignedIn]
    const apiKey = await people.apiKeyOf(first)
    for (const { session_token } of mine) expect(await people.statusOf(session_token)).toBe(200)
    expect((await people.logoutAll(first.session_token)).body.data).toEqual({ ended_count: 3 })
    for (const { session_token, refresh_token } of mine) {
      expect(await people.statusOf(session_token)).toBe(401)
      expect((await people.refresh(refresh_token)).status).toBe(401)
    }
    expect([await people.statusOf(apiKey), await people.statusOf(stranger.session_token)]).toEqual([200, 200])
    expect((await people.eventsOf(first)).at(-1)).toBe('signed_out_everywhere')
  })

  const endings: [string, (thief: SignedIn, owner: SignedIn) => Promise<unknown>][] = [
    ['logoutAll', (thief) => people.logoutAll(thief.session_token)],
    ['logout', (thief) => people.logout(thief.session_token)],
    [
      'the end of a session, by another one,',
      async (thief, { session_token: token }) => {
        const { data } = (await service.call('GET', '/v1/profile/sessions', { token: thief.session_token }))
          .body
        const ended = await service.call('DELETE', `/v1/profile/sessions/${data[0].id}`, { token })
        expect(ended.status).toBe(200)
      },
    ],
    [
      'a refresh token that is used again',
      async ({ refresh_token }) => {
        await people.refreshed(refresh_token)
        service.clock.advance(31)
        expect((await people.refresh(refresh_token)).status).toBe(401)
      },
    ],
  ]

  test.each(
    endings,
  )('%s ends the codes by which somebody could come back, or carry everything away', async (_name, end) => {
    const other = await people.signIn()
    const [owner, thief] = [await people.signIn(), await people.signInAgain()]
    const make = async (path: string) =>
      (await service.call('POST', `/v1/profile${path}`, { token: thief.session_token })).body.data
    const [{ code }, { password }, { key }] = [
      await make('/signInCode'),
      await make('/otp'),
      await make('/transfer/createKey'),
    ]
    await end(thief, owner)
    const byCode = await service.call('POST', '/v1/auth/signInCode', { body: { code } })
    const login = String(thief.user_id)
    const byPassword = await service.call('POST', '/v1/auth/otp', { body: { login, password } })
    const byKey = await service.call('POST', '/v1/profile/transfer/activateKey', {
      token: other.session_token,
      body: { key },
    })
    expect([byCode.status, byPassword.status, byKey.status]).toEqual([401, 401, 400])
  })

  test.each([
    'logout',
    'logoutAll',
  ] as const)('a code that is made beside a %s opens nothing', async (way) => {
    const rounds = Array.from({ length: 15 }, async () => {
      const { session_token: token } = await people.signIn()
      const [made] = await Promise.all([
        service.call('POST', '/v1/profile/signInCode', { token }),
        people[way](token),
      ])
      if (made.status !== 201) return
      const body = { code: made.body.data.code }
      expect((await service.call('POST', '/v1/auth/signInCode', { body })).status).toBe(401)
    })
    await Promise.all(rounds)
  })

  test.each(['logout', 'logoutAll'] as const)('nothing survives a %s beside a refresh', async (way) => {
    const rounds = Array.from({ length: 15 }, async () => {
      const first = await people.signIn()
      const [renewal, ended] = await Promise.all([
        people.refresh(first.refresh_token),
        people[way](first.session_token),
      ])
      expect(ended.status).toBe(200)
      expect(await people.statusOf(first.session_token)).toBe(401)
      expect((await people.refresh(first.refresh_token)).status).toBe(401)
      if (renewal.status !== 200) return
      expect(await people.statusOf(renewal.body.data.session_token)).toBe(401)
      expect((await people.refresh(renewal.body.data.refresh_token)).status).toBe(401)
    })
    await Promise.all(rounds)
  })
})

describe('tidying', () => {
  const tokensOf = async ({ user_id }: SignedIn): Promise<number> => {
    const rows = await service.db
      .selectFrom('refresh_tokens')
      .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
      .select('token_hash')
      .where('sessions.user_id', '=', user_id)
      .execute()
    return rows.length
  }

  test('sessions go a day after they would have ended, revoked ones no sooner', async () => {
    const [ended, other] = [await people.signIn(), await people.signIn()]
    await people.logout(ended.session_token)
    const left = async () => [(await sessionsOf(ended)).length, (await sessionsOf(other)).length]
    service.clock.advance(31 * day - 1)
    await service.running.runJobs()
    expect(await left()).toEqual([1, 1])
    service.clock.advance(1)
    await service.running.runJobs()
    expect(await left()).toEqual([0, 0])
    expect(await people.eventsOf(ended)).toEqual(['created', 'signed_in'])
  })

  test('a session that goes on keeps its old tokens for 30 days', async () => {
    const first = await people.signIn()
    const second = await people.refreshed(first.refresh_token)
    service.clock.advance(20 * day)
    const third = await people.refreshed(second.refresh_token)
    await service.running.runJobs()
    expect(await tokensOf(first)).toBe(3)
    service.clock.advance(10 * day)
    await service.running.runJobs()
    expect(await tokensOf(first)).toBe(2)
    expect((await people.refresh(third.refresh_token)).status).toBe(200)
    expect((await people.refresh(first.refresh_token)).status).toBe(401)
    expect((await people.refresh(second.refresh_token)).status).toBe(401)
    expect(await people.eventsOf(first)).toContain('refresh_reused')
  })
})
