import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import type { Job } from '../core/kernel/jobs.ts'
import { Scheduler } from './scheduler.ts'

test('a job that is kicked inside of something is not inside of it', async () => {
  const inside = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const job: Job<never> = { name: 'look around', everySeconds: 3600, run: async () => {} }
  const scheduler = new Scheduler({ warn: () => {}, error: () => {} } as never)
  scheduler.start([{ job, run: async () => seen.push(inside.getStore()) }])
  inside.run('a transaction', () => scheduler.kick(job))
  await scheduler.stop()
  expect(seen).toEqual([undefined])
})
