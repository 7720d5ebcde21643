import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'

/** Stands before the service at an address that machines reach, as a proxy would. What it was told it answers itself. */
export class Front {
  readonly url: string
  readonly #server
  readonly #own = new Map<string, Buffer | string>()

  private constructor(server: ReturnType<typeof createServer>, url: string) {
    this.#server = server
    this.url = url
  }

  static async open(address: string, servicePort: number): Promise<Front> {
    const server = createServer((asked, answer) => {
      const own = front.#own.get(asked.url ?? '')
      if (own === undefined) forward(asked, answer, servicePort)
      else answer.end(own)
    })
    server.listen(0, address)
    await once(server, 'listening')
    const front = new Front(server, `http://${address}:${(server.address() as AddressInfo).port}`)
    return front
  }

  /** From now on this is what is answered there. */
  answer(path: string, content: Buffer | string): void {
    this.#own.set(path, content)
  }

  /** Answers as a service would whose agent is another one, or as one that hands out what it did not promise. */
  async release(name: string, change: (agent: string) => string, isDamaged = false): Promise<void> {
    this.#own.delete('/install/agent')
    const script = await (await fetch(`${this.url}/install/agent`)).text()
    const before = /([0-9a-f]{64}) 644 agent\.mjs/.exec(script)?.[1] ?? ''
    const packed = await (await fetch(`${this.url}/install/files/${before}/agent.mjs.gz`)).arrayBuffer()
    const agent = change(gunzipSync(Buffer.from(packed)).toString())
    const after = createHash('sha256').update(agent).digest('hex')
    this.answer(`/install/files/${after}/agent.mjs.gz`, gzipSync(isDamaged ? `${agent} ` : agent))
    this.answer(
      '/install/agent',
      script.replaceAll(before, after).replace(/^RELEASE=.*$/m, `RELEASE=${name}`),
    )
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }
}

const forward = (asked: IncomingMessage, answer: ServerResponse, port: number): void => {
  const { method, url, headers } = asked
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers)
    answered.pipe(answer)
  })
  onward.on('error', () => answer.destroy())
  answer.on('close', () => onward.destroy())
  asked.pipe(onward)
}
