import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ByteReader } from '../../../../test/support/engines/byte-reader.ts'
import type { SteadyStep, SteadyTask } from '../contracts.ts'
import { connectThrough } from './socks5.ts'

/**
 * One connection that is kept: asks the site for so many bytes again and again, and says a line when all of them have
 * come. It never connects anew, so a connection that breaks ends the program and one that starves leaves it silent.
 */

const opened = async ({ host, port, socks }: SteadyTask): Promise<Socket> => {
  if (socks) return connectThrough(socks, host, port)
  const socket = connect(port, host)
  await once(socket, 'connect')
  return socket
}

const task = JSON.parse(process.argv[2] ?? '{}') as SteadyTask
try {
  const socket = await opened(task)
  const reader = ByteReader.of(socket)
  for (let bytes = 0; ; await sleep(task.everyMs)) {
    socket.write(`GET /bytes/${task.bytes} HTTP/1.1\r\nHost: ${task.host}\r\n\r\n`)
    await reader.head()
    bytes += (await reader.exactly(task.bytes)).length
    const step: SteadyStep = { bytes, atMs: Date.now() }
    console.log(JSON.stringify(step))
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
