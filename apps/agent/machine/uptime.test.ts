import { uptime } from 'node:os'
import { expect, test } from 'vitest'
import { firstProcessStart, machineUptimeSeconds } from './uptime.ts'

test('the start of the first process, whatever it is called', () => {
  const rest = '1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 123456 999 0'
  expect(firstProcessStart(`1 (systemd) S 0 ${rest}`)).toBe(1234.56)
  expect(firstProcessStart(`1 (a) b (c) S 0 ${rest}`)).toBe(1234.56)
  expect(firstProcessStart('')).toBe(0)
})

test('a machine runs no longer than its kernel', async () => {
  const seconds = await machineUptimeSeconds()
  expect(seconds).toBeGreaterThanOrEqual(0)
  expect(seconds).toBeLessThanOrEqual(uptime())
})
