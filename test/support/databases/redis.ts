import { mkdtemp, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { redisPath } from '../pieces.ts'
import { freePort } from '../ports.ts'
import { startTethered } from '../tethered.ts'

export type RedisServer = { url: string; port: number; pid: number; stop: () => Promise<void> }

/** A private Redis that keeps nothing, or null when redis-server is not on this machine. */
export async function startRedis(port?: number, replicaOf?: number): Promise<RedisServer | null> {
  const chosen = port ?? (await freePort())
  const settings = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const follow = replicaOf ? ['--replicaof', `127.0.0.1 ${replicaOf}`, '--repl-diskless-sync-delay', '0'] : []
  return listen(chosen, [...settings, ...follow])
}

/** Watches a master and names another when it is gone; two of them must agree. */
export async function startSentinel(name: string, master: number): Promise<RedisServer | null> {
  const port = await freePort()
  const rules = [
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor ${name} 127.0.0.1 ${master} 2`,
    `sentinel down-after-milliseconds ${name} 1000`,
    `sentinel failover-timeout ${name} 3000`,
  ]
  return listen(port, ['--sentinel'], rules)
}

async function listen(chosen: number, settings: string[], rules?: string[]): Promise<RedisServer | null> {
  const program = redisPath()
  if (!program) return null
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-redis-'))
  const file = join(folder, 'rules.conf')
  if (rules) await writeFile(file, rules.join('\n'))
  const command = [program, ...(rules ? [file] : []), ...settings]
  const server = await startTethered(command, { folder, signal: 'TERM' })
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
