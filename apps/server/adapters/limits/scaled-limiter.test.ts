import { per } from '@sallyport/contract/operation'
import { expect, test } from 'vitest'
import { MemoryLimiter } from './memory-limiter.ts'
import { ScaledLimiter } from './scaled-limiter.ts'

test('a scaled limit holds and tells as many times what was said', () => {
  const limiter = new ScaledLimiter(new MemoryLimiter(() => 0), 100)
  const take = () => limiter.take('key', per(1, 5))
  expect(take()).toMatchObject({ limit: 100, remaining: 99, isAllowed: true })
  for (let n = 1; n < 100; n++) take()
  expect(take()).toMatchObject({ remaining: 0, isAllowed: false })
  limiter.giveBack('key')
  limiter.giveBack('key')
  expect(take()).toMatchObject({ isAllowed: true })
})
