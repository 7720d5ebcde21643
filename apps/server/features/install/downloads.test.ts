import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type DownloadLimits, Downloads, usualLimits } from './downloads.ts'

/** An answer of which the test says how much was read. */
class Reading extends Writable {
  readonly socket = { bytesWritten: 0, writableLength: 0 }

  override _write(): void {}

  writeHead(): this {
    return this
  }

  read(bytes: number): void {
    this.socket.bytesWritten += bytes
  }
}

const file = fileURLToPath(import.meta.url)

const open = (limits: Partial<DownloadLimits>) => {
  const downloads = new Downloads({ ...usualLimits, ...limits })
  return {
    downloads,
    send: (address: string) => {
      const reading = new Reading()
      void downloads.send(address, file, reading as unknown as ServerResponse)
      return reading
    },
  }
}

test('when all places are taken, the slowest of those who had some time gives way', async () => {
  const { downloads, send } = open({ most: 3, graceMs: 100 })
  const [fast, slow, faster] = [send('a'), send('b'), send('c')]
  expect(downloads.hasRoom()).toBe(false)
  fast.read(2000)
  slow.read(1000)
  faster.read(3000)
  await setTimeout(150)
  expect(downloads.hasRoom()).toBe(true)
  expect([fast, slow, faster].map(({ destroyed }) => destroyed)).toEqual([false, true, false])
  const fresh = send('d')
  expect(downloads.hasRoom()).toBe(true)
  expect([fast, faster, fresh].map(({ destroyed }) => destroyed)).toEqual([true, false, false])
  for (const reading of [faster, fresh]) reading.destroy()
})

test('who reads as much as is asked goes on, until the time is over', async () => {
  const { send } = open({ leastBytesPerSecond: 1000, spanMs: 100, longestMs: 1000 })
  const [steady, stopped] = [send('a'), send('b')]
  stopped.read(1_000_000)
  const startedAt = performance.now()
  while (!steady.destroyed) {
    steady.read(1000)
    await setTimeout(10)
  }
  expect(stopped.destroyed).toBe(true)
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(950)
})

test('who stops reading is put out long before the time is over', async () => {
  const { send } = open({ leastBytesPerSecond: 1000, spanMs: 50 })
  const stopped = send('a')
  stopped.read(1_000_000)
  await expect.poll(() => stopped.destroyed).toBe(true)
})

test('an address has its places again when they are left', async () => {
  const { downloads, send } = open({ mostOfAddress: 2 })
  const [first, second] = [send('a'), send('a')]
  expect([downloads.isCrowd('a'), downloads.isCrowd('b')]).toEqual([true, false])
  first.destroy()
  await expect.poll(() => downloads.isCrowd('a')).toBe(false)
  second.destroy()
})
