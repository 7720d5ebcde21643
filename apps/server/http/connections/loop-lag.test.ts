import { expect, onTestFinished, test } from 'vitest'
import { LoopLag } from './loop-lag.ts'

test('tells how long a thread was busy with something else, and that it is in time again', async () => {
  const lag = new LoopLag()
  onTestFinished(() => lag.stop())
  const busyUntilMs = performance.now() + 400
  while (performance.now() < busyUntilMs);
  await expect.poll(() => lag.ms, { interval: 1 }).toBeGreaterThan(300)
  await expect.poll(() => lag.ms, { timeout: 10_000 }).toBeLessThan(100)
})
