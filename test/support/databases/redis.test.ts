import { createConnection } from 'node:net'
import { expect, test } from 'vitest'
import { describeWith } from '../engines/engines.ts'
import { redis } from '../pieces.ts'
import { startRedis } from './redis.ts'

describeWith(redis, 'startRedis', () => {
  test('answers on its port until it is stopped', async () => {
    const server = await startRedis()
    if (!server) throw new Error('Redis was found but not started')
    expect(await connects(server.port)).toBe(true)
    await server.stop()
    expect(await connects(server.port)).toBe(false)
  })

  test('the process id is the server itself', async () => {
    const server = await startRedis()
    if (!server) throw new Error('Redis was found but not started')
    process.kill(server.pid, 'SIGKILL')
    await expect.poll(() => connects(server.port)).toBe(false)
    await server.stop()
  })
})

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.once('connect', () => socket.destroy())
  })
}
