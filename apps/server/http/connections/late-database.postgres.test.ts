import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../../../../test/support/service.ts'

/** Half of a look longer than one, at five of them. */
const lookMs = 750
const looks = 5

test('who changes something is told at once to come again while others wait for connections; reads go on', async () => {
  const service = await startTestService({ withoutLimits: true, env: { DATABASE_POOL: '3' } })
  onTestFinished(() => service.stop())
  const [crowded, staying] = [await service.createUser(), await service.createUser()]
  const holds = async ({ id }: { readonly id: number }): Promise<() => Promise<void>> => {
    const client = new pg.Client({ connectionString: service.env.DATABASE_URL })
    await client.connect()
    await client.query('begin')
    await client.query('select from users where id = $1 for update', [id])
    return async () => {
      await client.query('rollback')
      await client.end()
    }
  }
  const change = ({ api_key: token }: { readonly api_key: string }) =>
    service.call('PATCH', '/v1/profile/subscriptionLink', { token })
  const crowd = (count: number) => Promise.all(Array.from({ length: count }, () => change(crowded)))
  const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status)
  const mostChanging = async () => {
    const { body } = await service.call('GET', '/metrics')
    return Number(/^sallyport_http_most_changing (\d+)$/m.exec(body)?.[1])
  }
  expect(await mostChanging()).toBe(500)
  const letStayingGo = await holds(staying)
  const stayed = change(staying)
  for (let look = 0; look < looks; look++) {
    const letCrowdGo = await holds(crowded)
    const waiting = crowd(12)
    await sleep(lookMs)
    await letCrowdGo()
    expect(statuses(await waiting)).toEqual(Array(12).fill(200))
  }
  expect(await mostChanging()).toBeLessThan(100)
  const letCrowdGo = await holds(crowded)
  const flood = crowd(60)
  const reads = Array.from({ length: 60 }, () =>
    service.call('GET', '/v1/profile', { token: crowded.api_key }),
  )
  expect(statuses(await Promise.all(reads))).toEqual(Array(60).fill(200))
  await letCrowdGo()
  const refused = (await flood).filter(({ status }) => status === 503)
  expect(refused[0]?.body.details[0].problem).toContain('nothing was done')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(60)
  await letStayingGo()
  expect((await stayed).status).toBe(200)
  expect(await mostChanging()).toBe(500)
})
