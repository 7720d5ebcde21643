import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { statementsDuring } from '../../../../test/support/statements.ts'

const lines: string[] = []
let service: TestService
beforeAll(async () => {
  service = await startTestService({
    withoutLimits: true,
    env: { LOG_LEVEL: 'trace' },
    onLog: (line) => lines.push(line),
  })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const browser = { accept: 'text/html', 'accept-language': 'en' }
const callers = {
  app: { 'user-agent': 'Happ/3.5.0' },
  'named device': { 'x-hwid': 'phone-0123456789' },
  browser,
}

const customOf = async (user: TestUser): Promise<{ id: number; subscription_key: string }> => {
  const bought = await service.buy(user)
  const items = [{ item_type: 'user_config', item_reference_id: bought.id }]
  const path = '/profile/custom-subscriptions'
  return (await service.customer(user, 'POST', path, { title: 'One', items })).body.data
}

/** Keys that open nothing, each for a reason of its own. */
const deadKeys = async (): Promise<Record<string, string>> => {
  const rotated = await service.createUser({ balance: 1000 })
  await service.customer(rotated, 'PATCH', '/profile/subscriptionLink')
  const custom = await customOf(rotated)
  await service.customer(rotated, 'DELETE', `/profile/custom-subscriptions/${custom.id}`)
  const blocked = await service.createUser()
  await service.operator('PATCH', `/users/${blocked.id}/blocked`, { is_blocked: true })
  const deleted = await service.createUser()
  await service.db.deleteFrom('subscriptions').where('user_id', '=', deleted.id).execute()
  return {
    'never was': 'A'.repeat(32),
    'was replaced': rotated.subscription_key,
    'was deleted': custom.subscription_key,
    'went with its account': deleted.subscription_key,
    'is of somebody who is blocked': blocked.subscription_key,
    'is too short': 'x',
    'is too long': 'A'.repeat(200),
    'cannot be one': '..%20%00%D0%BA"<',
  }
}

describe('a key that opens nothing', () => {
  test.each(Object.entries(callers))('is one answer and one way to it, for a %s', async (_name, headers) => {
    const answers: Record<string, unknown> = {}
    const ways: Record<string, string[]> = {}
    for (const [why, key] of Object.entries(await deadKeys())) {
      const told = await statementsDuring(service, async () => {
        const { status, headers: said, body } = await service.call('GET', `/sub/${key}`, { headers })
        answers[why] = {
          status,
          headers: [...said].filter(([name]) => !['date', 'x-request-id'].includes(name)),
          body,
        }
      })
      ways[why] = told.filter((sql) => /subscriptions|security_counters/.test(sql))
    }
    expect(answers['never was']).toMatchObject({ status: 404, body: expect.stringMatching(/./) })
    for (const [why, answer] of Object.entries(answers)) expect(answer, why).toEqual(answers['never was'])
    expect(ways['never was']).toHaveLength(2)
    for (const [why, way] of Object.entries(ways)) expect(way, why).toEqual(ways['never was'])
  })
})

describe('the log', () => {
  test('of every way to ask for a subscription has neither its key nor its link', async () => {
    const user = await service.createUser({ balance: 1000 })
    const custom = await customOf(user)
    const encrypted = `/profile/custom-subscriptions/${custom.id}/encrypted-subscription-link`
    const answer = await service.customer(user, 'GET', encrypted)
    const happLink = /happ:\/\/[^"]+/.exec(JSON.stringify(answer.body))?.[0] as string
    expect(happLink).toMatch(/^happ:\/\/crypt4\//)

    lines.length = 0
    const keys = [user.subscription_key, custom.subscription_key]
    const statuses = new Set<number>()
    const ask = async (
      method: string,
      path: string,
      headers: Record<string, string> = {},
      body?: unknown,
    ) => {
      statuses.add((await service.call(method, path, { headers, body })).status)
    }
    const everyWay = async () => {
      for (const key of keys) {
        for (const headers of Object.values(callers)) await ask('GET', `/sub/${key}`, headers)
        for (const query of [
          '?format=links',
          '?format=pdf',
          '?item=1',
          '?item=77',
          '?item=x',
          '?lang=en&x=1',
        ])
          for (const headers of [{}, browser]) await ask('GET', `/sub/${key}${query}`, headers)
        for (const method of ['HEAD', 'POST', 'DELETE', 'PUT', 'OPTIONS']) await ask(method, `/sub/${key}`)
        await ask('POST', `/sub/${key}`, {}, { key })
        await ask('POST', `/sub/${key}`, {}, '{broken')
        for (const path of [`/sub/${key}/`, `/sub/${key}/x`, `//sub/${key}`, `/SUB/${key}`, `/sub/${key}%zz`])
          await ask('GET', path)
        await ask('GET', `/sub/${key.repeat(10)}`)
        for (const path of [`/open/happ?${key}`, `/open/${key}`, `/open/happ/${key}`])
          await ask('GET', path, browser)
        await ask('GET', `/v1/profile`, {
          referer: `${service.running.url}/sub/${key}`,
          authorization: `Bearer ${key}`,
        })
      }
      await ask('GET', `/open/happ?link=${encodeURIComponent(happLink)}`, browser)
    }
    await everyWay()
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 400, 404, 405]))

    // As when a migration went wrong.
    await service.db.schema.alterTable('devices').renameTo('lost').execute()
    onTestFinished(() => service.db.schema.alterTable('lost').renameTo('devices').execute())
    await everyWay()
    expect(statuses).toContain(500)
    expect(
      lines.filter((line) => line.includes('request failed')).length,
      'the log is heard',
    ).toBeGreaterThan(0)

    for (const secret of [...keys, happLink, encodeURIComponent(happLink)])
      expect(lines.filter((line) => line.includes(secret))).toEqual([])
  })
})
