import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type RedisServer, startRedis } from '../../../../test/support/databases/redis.ts'
import { describeWith } from '../../../../test/support/engines/engines.ts'
import { redis } from '../../../../test/support/pieces.ts'
import { RedisLimiter } from './redis-limiter.ts'

const limit = { points: 3, seconds: 60 }

describeWith(redis, 'limits on Redis', () => {
  let server: RedisServer
  let limiters: RedisLimiter[]
  let states: boolean[]
  beforeAll(async () => {
    server = (await startRedis()) as RedisServer
    states = []
    limiters = [1, 2].map(() => new RedisLimiter(server.url, (isUp) => states.push(isUp)))
    await vi.waitFor(() => expect(states).toEqual([true, true]), 10_000)
  })
  afterAll(async () => {
    for (const limiter of limiters) await limiter.close()
    await server.stop()
  })

  test('instances count together, exactly, and tell one Reset', async () => {
    const taken = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (limiters[n % 2] as RedisLimiter).take('shared', limit)),
    )
    expect(taken.filter((one) => one.isAllowed)).toHaveLength(3)
    expect(taken.map((one) => one.remaining).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 2])
    const resets = taken.map((one) => Math.ceil(one.resetsAtMs / 1000))
    expect(Math.max(...resets) - Math.min(...resets)).toBeLessThanOrEqual(1)
    expect(Math.abs(resets[0] as number) - Date.now() / 1000).toBeLessThan(62)
  })

  test('what is given back can be taken again, and never more than was taken', async () => {
    const [one, two] = limiters as [RedisLimiter, RedisLimiter]
    for (let n = 0; n < 3; n++) await one.take('given', limit)
    await two.giveBack('given')
    expect((await one.take('given', limit)).isAllowed).toBe(true)
    await one.giveBack('never taken')
    expect((await one.take('never taken', limit)).remaining).toBe(2)
  })

  test('a window ends by itself', async () => {
    const short = { points: 1, seconds: 1 }
    const [limiter] = limiters as [RedisLimiter]
    expect((await limiter.take('short', short)).isAllowed).toBe(true)
    expect((await limiter.take('short', short)).isAllowed).toBe(false)
    await expect
      .poll(async () => (await limiter.take('short', short)).isAllowed, { timeout: 3000 })
      .toBe(true)
  })

  test('without Redis each instance goes on counting by itself, and comes back to it', async () => {
    const [limiter] = limiters as [RedisLimiter]
    process.kill(server.pid, 'SIGKILL')
    await expect.poll(() => states.at(-1)).toBe(false)
    const alone = [1, 2, 3, 4].map(() => limiter.take('alone', limit))
    expect((await Promise.all(alone)).map((one) => one.isAllowed)).toEqual([true, true, true, false])
    const { port } = server
    await server.stop()
    server = (await startRedis(port)) as RedisServer
    await expect.poll(() => states.at(-1), { timeout: 10_000 }).toBe(true)
    expect((await limiter.take('back', limit)).remaining).toBe(2)
  })
})
