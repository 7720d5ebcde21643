import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort, isFree, rangeBelow } from './ports.ts'

const onLinux = process.platform === 'linux'

test.each([
  [32_768, { from: 30_000, to: 32_768 }],
  [60_000, { from: 30_000, to: 60_000 }],
  [30_001, { from: 2000, to: 10_000 }],
  [9000, { from: 2000, to: 9000 }],
  [1024, { from: 2000, to: 10_000 }],
])('a kernel that chooses from %i leaves those below, and the product its own', (first, range) => {
  expect(rangeBelow(first)).toEqual(range)
})

test.runIf(onLinux)('every port is below those of outgoing connections', async () => {
  const first = Number.parseInt(await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10)
  for (const port of await Promise.all(Array.from({ length: 20 }, freePort))) {
    expect(port).toBeGreaterThanOrEqual(2000)
    expect(port).toBeLessThan(first)
  }
})

test('many who ask at once get ports of their own', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  expect(new Set(ports).size).toBe(50)
})

test('a port where somebody listens is not free, whatever the address', async () => {
  const port = await freePort()
  expect(await isFree(port)).toBe(true)
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const listener = createServer().listen(port, host)
    await once(listener, 'listening')
    expect(await isFree(port)).toBe(false)
    await new Promise((resolve) => listener.close(resolve))
    const socket = createSocket('udp4').bind(port, host)
    await once(socket, 'listening')
    expect(await isFree(port)).toBe(false)
    socket.close()
    await once(socket, 'close')
  }
})

test.runIf(onLinux)('processes at the same time get different ports', async () => {
  const program = `
    const { freePort } = await import(${JSON.stringify(new URL('./ports.ts', import.meta.url).href)})
    const all = []
    for (let n = 0; n < 400; n++) all.push(await freePort())
    console.log(JSON.stringify(all))
    await new Promise((resolve) => process.stdin.once('end', resolve).resume())`
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  const processes = [run(), run(), run()]
  const said = processes.map(({ child }) => once(child.stdout ?? child, 'data'))
  await Promise.all(said)
  for (const { child } of processes) child.stdin?.end()
  const ports = (await Promise.all(processes)).flatMap(({ stdout }) => JSON.parse(stdout) as number[])
  expect(new Set(ports).size).toBe(1200)
})
