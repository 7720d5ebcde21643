import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RedisServer, startRedis, startSentinel } from '../../../../test/support/databases/redis.ts'
import { describeWith } from '../../../../test/support/engines/engines.ts'
import { redis } from '../../../../test/support/pieces.ts'
import { RedisLimiter } from './redis-limiter.ts'

const limit = { points: 1_000_000, seconds: 600 }

describeWith(redis, 'limits on Redis with sentinels', () => {
  const servers: RedisServer[] = []
  const states: boolean[] = []
  let limiters: RedisLimiter[] = []
  beforeAll(async () => {
    const master = (await startRedis()) as RedisServer
    const replica = (await startRedis(undefined, master.port)) as RedisServer
    servers.push(master, replica)
    const watching = await Promise.all([1, 2, 3].map(() => startSentinel('main', master.port)))
    servers.push(...(watching as RedisServer[]))
    const url = `redis+sentinel://${servers
      .slice(2)
      .map(({ port }) => `127.0.0.1:${port}`)
      .join()}/main`
    const asker = new Redis(servers[2]?.port ?? 0)
    const others = async () => {
      const [found] = (await asker.call('sentinel', 'masters')) as string[][]
      const of = (name: string) => found?.[found.indexOf(name) + 1]
      return [of('num-other-sentinels'), of('num-slaves')]
    }
    await vi.waitFor(async () => expect(await others()).toEqual(['2', '1']), 20_000)
    asker.disconnect()
    limiters = [1, 2].map(() => new RedisLimiter(url, (isUp) => states.push(isUp)))
    await vi.waitFor(() => expect(states).toEqual([true, true]), 10_000)
  })
  afterAll(async () => {
    for (const limiter of limiters) await limiter.close()
    for (const server of servers) await server.stop()
  })

  test('when the master is killed all go on, and count together again on the next one', async () => {
    const [one, two] = limiters as [RedisLimiter, RedisLimiter]
    await one.take('before', limit)
    expect((await two.take('before', limit)).remaining).toBe(limit.points - 2)
    process.kill(servers[0]?.pid ?? 0, 'SIGKILL')
    const killedAt = performance.now()
    let slowestMs = 0
    const isShared = async () => {
      const key = `after-${performance.now()}`
      const begun = performance.now()
      const first = await one.take(key, limit)
      const second = await two.take(key, limit)
      slowestMs = Math.max(slowestMs, (performance.now() - begun) / 2)
      expect([first.isAllowed, second.isAllowed]).toEqual([true, true])
      return second.remaining === limit.points - 2
    }
    while (!(await isShared())) {
      if (performance.now() - killedAt > 20_000) throw new Error('Redis was not found again')
      await sleep(20)
    }
    expect(states).toContain(false)
    await expect.poll(() => states.at(-1)).toBe(true)
    expect(slowestMs).toBeLessThan(600)
  })
})
