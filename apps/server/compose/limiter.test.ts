import { per } from '@sallyport/contract/operation'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { chooseLimiter } from './limiter.ts'

test.each([
  [{}, 3],
  [{ RATE_LIMIT_SCALE: '200' }, 600],
])('with %j a limit of 3 is %i', async (env, points) => {
  const limiter = await chooseLimiter(readConfig(env), pino({ level: 'silent' }))
  expect(await limiter.take('somebody', per(3, 60))).toMatchObject({ limit: points, remaining: points - 1 })
  await limiter.close()
})
