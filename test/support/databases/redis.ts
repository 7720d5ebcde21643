import { mkdtemp } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { redisPath } from '../pieces.ts'
import { freePort } from '../ports.ts'
import { startTethered } from '../tethered.ts'

export type RedisServer = { url: string; port: number; pid: number; stop: () => Promise<void> }

/** A private Redis that keeps nothing, or null when redis-server is not on this machine. */
export async function startRedis(port?: number): Promise<RedisServer | null> {
  const program = redisPath()
  if (!program) return null
  const chosen = port ?? (await freePort())
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-redis-'))
  const settings = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const server = await startTethered([program, ...settings], { folder, signal: 'TERM' })
  const deadline = Date.now() + 60_000
  while (!(await answersPing(chosen))) {
    if (Date.now() > deadline) {
      await server.stop()
      throw new Error(`Redis did not answer on port ${chosen} within 10 s`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { url: `redis://127.0.0.1:${chosen}`, port: chosen, ...server }
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.write('PING\r\n'))
    const finish = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.setTimeout(1000, () => finish(false))
    socket.once('error', () => finish(false))
    socket.once('data', (data) => finish(data.toString().startsWith('+PONG')))
  })
}
