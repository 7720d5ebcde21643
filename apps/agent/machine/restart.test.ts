import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Restarts } from './restart.ts'

let stateDir: string
let asked: number
let uptime: number
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'sallyport-restart-'))
  asked = 0
  uptime = 5000
})
afterEach(() => rm(stateDir, { recursive: true }))

const now = 1_000_000
const restarts = () =>
  new Restarts({
    stateDir,
    log: () => {},
    nowSeconds: () => now,
    uptimeSeconds: async () => uptime,
    request: async () => {
      asked++
      return true
    },
  })

test('a wish is followed once, also by an agent that comes after', async () => {
  await restarts().follow(now - 3)
  await restarts().follow(now - 3)
  expect(asked).toBe(1)
  await restarts().follow(now - 1)
  expect(asked).toBe(2)
})

test('one from before the machine came up is done already', async () => {
  uptime = 10
  await restarts().follow(now - 60)
  expect(asked).toBe(0)
})

test('no wish, nothing done', async () => {
  await restarts().follow(null)
  await restarts().follow(undefined)
  expect(asked).toBe(0)
})
