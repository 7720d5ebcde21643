import { expect, onTestFinished, test } from 'vitest'
import { startTestService, type TestServiceOptions } from '../../../../../test/support/service.ts'
import { statementsDuring } from '../../../../../test/support/statements.ts'

const start = async (options: TestServiceOptions = {}) => {
  const service = await startTestService(options)
  onTestFinished(() => service.stop())
  const fetchKey = (key: string) => service.call('GET', `/sub/${key}`)
  const guess = () => fetchKey('A'.repeat(32))
  const counted = async () => {
    const rows = await service.db
      .selectFrom('security_counters')
      .select(['key', 'count'])
      .where('key', 'like', 'subscription:%')
      .execute()
    return rows.map((row) => row.count)
  }
  return { service, fetchKey, guess, counted }
}

test('wrong keys of an address are counted for an hour, also across restarts; right ones always work', async () => {
  const { service, fetchKey, guess, counted } = await start({ withoutLimits: true })
  const user = await service.createUser()
  for (let n = 0; n < 15; n++) {
    const answers = await Promise.all(Array.from({ length: 20 }, guess))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([404]))
    expect((await fetchKey(user.subscription_key)).status).toBe(200)
  }
  await service.whileAway(async () => undefined)
  const { status, headers, body } = await guess()
  expect([status, body]).toEqual([429, 'Too Many Requests\n'])
  expect(Number(headers.get('retry-after'))).toBe(3600 - (service.clock.now() % 3600))
  expect((await fetchKey(user.subscription_key)).status).toBe(200)
  expect(await counted()).toEqual([300])
  service.clock.advance(Number(headers.get('retry-after')))
  expect((await guess()).status).toBe(404)
})

test('a flood is refused before it reaches the database', async () => {
  const { service, fetchKey, guess, counted } = await start()
  const answers = await Promise.all(Array.from({ length: 50 }, guess))
  expect(answers.filter((answer) => answer.status === 404)).toHaveLength(30)
  expect(await counted()).toEqual([30])
  const asked = await statementsDuring(service, async () => {
    for (const key of ['A'.repeat(32), 'x', 'y'.repeat(200)]) expect((await fetchKey(key)).status).toBe(429)
  })
  expect(asked.filter((sql) => /subscriptions|security_counters/.test(sql))).toEqual([])
  const { subscription_key: key } = await service.createUser()
  expect((await fetchKey(key)).status).toBe(200)
})

test('who asks a right key for an entry that is not there guesses nothing', async () => {
  const { service, fetchKey, counted } = await start({ withoutLimits: true })
  const { subscription_key: key } = await service.createUser()
  for (const format of ['page', 'links']) {
    expect((await fetchKey(`${key}?format=${format}&item=1`)).status).toBe(404)
  }
  expect(await counted()).toEqual([])
})
