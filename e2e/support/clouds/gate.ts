import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands between the processes of a service and its providers: it knows who asks what, and has them killed amidst it. */

type Asked = 'create' | 'list' | 'show' | 'action' | 'act' | 'destroy'

/** `arrives`: it is done although nobody waits any more; `lost`: it never arrives. */
export interface Moment {
  readonly asked: Asked
  readonly when: 'arrives' | 'lost' | 'done' | 'answered'
  readonly lateMs: number
}

type Kill = (process: string) => void

interface Trap {
  readonly moment: Moment
  readonly kill: Kill
}

interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

const askedBy = (method: string, path: string): Asked | undefined => {
  const [kind, id, more] = path.split('/').slice(1)
  if (kind === 'actions') return 'action'
  if (kind !== 'servers' && kind !== 'droplets') return undefined
  if (method === 'DELETE') return 'destroy'
  if (method === 'POST') return more === 'actions' ? 'act' : 'create'
  return id === undefined ? 'list' : 'show'
}

const read = async (stream: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** As it comes; rejects where no whole answer does. */
const forward = (url: string, { method, headers }: IncomingMessage, body: Buffer): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const asking = request(url, { method, headers: { ...headers, host: new URL(url).host }, agent: false })
    asking.on('error', reject)
    asking.on('response', (answer) => {
      const reply = (whole: Buffer) => ({
        status: answer.statusCode ?? 500,
        headers: answer.headers,
        body: whole,
      })
      read(answer).then((whole) => resolve(reply(whole)), reject)
    })
    asking.end(body)
  })

export class ProviderGate {
  readonly #server: Server
  readonly #clouds: ReadonlyMap<string, string>
  #trap: Trap | undefined

  private constructor(clouds: ReadonlyMap<string, string>) {
    this.#clouds = clouds
    this.#server = createServer((incoming, response) => {
      this.#serve(incoming, response).catch(() => response.destroy())
    })
  }

  /** By the name of each setting, where the provider is. */
  static async open(clouds: Readonly<Record<string, string>>): Promise<ProviderGate> {
    const gate = new ProviderGate(new Map(Object.entries(clouds)))
    await new Promise<void>((resolve) => gate.#server.listen(0, '127.0.0.1', resolve))
    return gate
  }

  /** The settings of a process of this name. */
  settingsOf(process: string): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo
    const names = [...this.#clouds.keys()]
    return Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${port}/${process}/${name}`]))
  }

  /** Whoever comes to this moment next is killed. Returns how not to wait for it any longer. */
  arm(moment: Moment, kill: Kill): () => void {
    const trap = { moment, kill }
    this.#trap = trap
    return () => {
      if (this.#trap === trap) this.#trap = undefined
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #spring(asked: Asked | undefined): Trap | undefined {
    const trap = this.#trap
    if (trap?.moment.asked !== asked) return undefined
    this.#trap = undefined
    return trap
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, process = '', name = '', ...rest] = (incoming.url ?? '').split('/')
    const path = `/${rest.join('/')}`
    const body = await read(incoming)
    const asked = askedBy(incoming.method ?? '', path.split('?')[0] as string)
    const trap = this.#spring(asked)
    const { when } = trap?.moment ?? {}
    if (when === 'arrives' || when === 'lost') trap?.kill(process)
    if (when === 'lost') return
    const reply = await forward(`${this.#clouds.get(name)}${path}`, incoming, body)
    if (when === 'done') trap?.kill(process)
    if (when === 'arrives' || when === 'done') return
    response.writeHead(reply.status, reply.headers).end(reply.body)
    if (trap) setTimeout(() => trap.kill(process), trap.moment.lateMs)
  }
}
