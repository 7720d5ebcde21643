import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sleep } from '../../common/backoff.ts'
import { portProblem, withFreePort } from './ports.ts'

test.skipIf(process.platform !== 'linux')(
  'a taken port is named, and asking leaves nothing open',
  async () => {
    const other = createSocket('udp4').bind(0, '0.0.0.0')
    await once(other, 'listening')
    const { port } = other.address()
    const openFiles = async () => (await readdir('/proc/self/fd')).length
    expect(await portProblem('0.0.0.0', port, ['udp'])).toBe(`UDP port ${port} is taken by another program`)
    await sleep(50)
    const before = await openFiles()
    for (let times = 0; times < 20; times += 1) await portProblem('0.0.0.0', port, ['udp'])
    await sleep(50)
    expect(await openFiles()).toBeLessThan(before + 10)
    other.close()
  },
)

test('a port that was taken meanwhile is replaced by another; other failures are not tried again', async () => {
  const tried: number[] = []
  const taken = (port: number) => new Error(`listen tcp 127.0.0.1:${port}: bind: address already in use`)
  const start = async (port: number): Promise<string> => {
    tried.push(port)
    if (tried.length < 3) throw taken(port)
    return 'started'
  }
  expect(await withFreePort(start)).toBe('started')
  expect(tried).toHaveLength(3)
  let calls = 0
  const refuse = (failure: (port: number) => Error) =>
    withFreePort(async (port) => {
      calls += 1
      throw failure(port)
    })
  await expect(refuse(() => new Error('bad configuration'))).rejects.toThrow('bad configuration')
  expect(calls).toBe(1)
  await expect(refuse(taken)).rejects.toThrow('already in use')
  expect(calls).toBe(6)
})

test('a port is not given again before the program that has it is up', async () => {
  const areUp = Promise.withResolvers<void>()
  const ports: number[] = []
  const starting: Promise<void>[] = []
  // So many that chance would give some of them twice.
  for (let times = 0; times < 600; times += 1) {
    const isGiven = Promise.withResolvers<void>()
    starting.push(
      withFreePort((port) => {
        ports.push(port)
        isGiven.resolve()
        return areUp.promise
      }),
    )
    await isGiven.promise
  }
  areUp.resolve()
  await Promise.all(starting)
  expect(new Set(ports).size).toBe(600)
})
