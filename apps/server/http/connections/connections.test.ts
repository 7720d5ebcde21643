import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ClientConnections } from './connections.ts'

/** A caller's connection, as far as connections look at it. */
class Line extends EventEmitter {
  remoteAddress = '203.0.113.1'
  bytesWritten = 0
  writableLength = 0
  isDestroyed = false

  destroy(): void {
    this.isDestroyed = true
    this.emit('close')
  }
}

const patienceMs = 60_000

const welcome = () => {
  const connections = new ClientConnections({
    most: 10,
    mostOfAddress: 10,
    reserve: 1,
    isShared: () => false,
  })
  const line = new Line()
  connections.welcome(line as unknown as Socket)
  return { connections, line }
}

/** Looks every second for so long; in each the caller has read so many bytes of what never ends. */
const download = (bytesPerSecond: number, seconds: number) => {
  const { connections, line } = welcome()
  line.writableLength = 64 * 1024
  line.bytesWritten = line.writableLength
  for (let second = 0; second <= seconds && !line.isDestroyed; second += 1) {
    line.bytesWritten += bytesPerSecond
    connections.dismissDeaf(second * 1000, patienceMs)
  }
  return line
}

test('who reads nothing of an answer is put out in time', () => {
  expect(download(0, 59).isDestroyed).toBe(false)
  expect(download(0, 60).isDestroyed).toBe(true)
})

test('who reads a large answer all the time may go on, who only nibbles at it may not', () => {
  expect(download(50_000, 3600).isDestroyed).toBe(false)
  expect(download(1000, 60).isDestroyed).toBe(true)
})

test('who stops in the middle is put out in time', () => {
  const { connections, line } = welcome()
  line.writableLength = 1
  line.bytesWritten = 1
  connections.dismissDeaf(0, patienceMs)
  line.bytesWritten += 1_000_000
  for (const nowMs of [60_000, 119_000]) connections.dismissDeaf(nowMs, patienceMs)
  expect(line.isDestroyed).toBe(false)
  connections.dismissDeaf(120_000, patienceMs)
  expect(line.isDestroyed).toBe(true)
})
