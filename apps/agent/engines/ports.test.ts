import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sleep } from '../backoff.ts'
import { portProblem } from './ports.ts'

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
