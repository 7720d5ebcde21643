import { chownSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { redisPath } from '../../../test/support/pieces.ts'
import { freePort } from '../../../test/support/ports.ts'
import type { Folder } from './folder.ts'
import { Program, until } from './program.ts'

/** What Redis answers to one command, when it is short. */
const askRedis = (port: number, ...words: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
      socket.write(`*${words.length}\r\n${parts.join('')}`)
    })
    socket.setTimeout(2000, () => socket.destroy(new Error('Redis is silent')))
    socket.once('error', reject)
    socket.once('data', (data) => {
      resolve(data.toString())
      socket.destroy()
    })
  })

const masterName = 'sallyport'

/** A Redis, its copy, and three that watch them. */
export class Sentinels {
  readonly servers: readonly { readonly port: number; readonly program: Program }[]
  readonly #watchers: readonly { readonly port: number; readonly program: Program }[]

  private constructor(servers: Sentinels['servers'], watchers: Sentinels['servers']) {
    this.servers = servers
    this.#watchers = watchers
  }

  get url(): string {
    const hosts = this.#watchers.map(({ port }) => `127.0.0.1:${port}`).join(',')
    return `redis+sentinel://${hosts}/${masterName}`
  }

  static async start(folder: Folder): Promise<Sentinels> {
    const file = redisPath()
    if (!file) throw new Error('redis-server is not on this machine')
    const { owner } = folder
    const servers: { port: number; program: Program }[] = []
    for (const name of ['redis1', 'redis2']) {
      const port = await freePort()
      const copyOf = servers[0] ? ['--replicaof', '127.0.0.1', String(servers[0].port)] : []
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder.of(name), '--save', '']
      const program = new Program({ name, file, args: [...args, ...copyOf], log: folder.log(name), owner })
      servers.push({ port, program: program.start() })
      await until(name, async () => (await askRedis(port, 'PING')).startsWith('+PONG'))
    }
    const watchers = []
    for (const name of ['sentinel1', 'sentinel2', 'sentinel3']) {
      const port = await freePort()
      const config = join(folder.of(name), 'sentinel.conf')
      const settings = [
        `port ${port}`,
        'bind 127.0.0.1',
        `sentinel monitor ${masterName} 127.0.0.1 ${servers[0]?.port} 2`,
        `sentinel down-after-milliseconds ${masterName} 2000`,
        `sentinel failover-timeout ${masterName} 10000`,
      ]
      writeFileSync(config, `${settings.join('\n')}\n`)
      chownSync(config, owner.uid, owner.gid)
      const program = new Program({ name, file, args: [config, '--sentinel'], log: folder.log(name), owner })
      watchers.push({ port, program: program.start() })
      await until(name, async () => (await askRedis(port, 'PING')).startsWith('+PONG'))
    }
    return new Sentinels(servers, watchers)
  }

  /** The server that the sentinels name. */
  async master(): Promise<Sentinels['servers'][number] | undefined> {
    const [watcher] = this.#watchers
    const answer = await askRedis(watcher?.port ?? 0, 'SENTINEL', 'get-master-addr-by-name', masterName)
    return this.servers.find(({ port }) => answer.includes(`\r\n${port}\r\n`))
  }

  async usedBytes(): Promise<number> {
    const answer = await askRedis((await this.master())?.port ?? 0, 'INFO', 'memory')
    return Number(/used_memory:(\d+)/.exec(answer)?.[1])
  }

  async stop(): Promise<void> {
    for (const { program } of [...this.#watchers, ...this.servers]) await program.end('SIGTERM', 5000)
  }
}
