import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Somebody else's program that is told of events, and behaves as the test says. */

export interface ReceivedEvent {
  readonly id: string
  readonly headers: Record<string, string>
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every type.
  readonly event: any
}

/** A status, a redirect to an address, an answer after so long, or none at all. */
export type Behaviour = number | { readonly redirect: string } | { readonly afterMs: number } | 'hang' | 'cut'

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

export class WebhookReceiver {
  /** Everything that came, refused or not. */
  readonly tried: ReceivedEvent[] = []
  readonly accepted: ReceivedEvent[] = []
  behave: (event: ReceivedEvent) => Behaviour = () => 200
  #server: Server | undefined
  #port = 0

  get url(): string {
    return `http://127.0.0.1:${this.#port}/events`
  }

  /** At the same address when it was there before. */
  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#serve(request, response))
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
    return this
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    server?.closeAllConnections()
    await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request)
    const headers = request.headers as Record<string, string>
    const received = { id: headers['webhook-id'] ?? '', headers, body, event: JSON.parse(body) }
    this.tried.push(received)
    const how = this.behave(received)
    if (how === 'hang') return
    if (how === 'cut') return void request.socket.destroy()
    if (typeof how === 'object' && 'afterMs' in how) {
      await new Promise((resolve) => setTimeout(resolve, how.afterMs))
    }
    const status = typeof how === 'number' ? how : 'redirect' in how ? 307 : 200
    if (status >= 200 && status < 300) this.accepted.push(received)
    const where = typeof how === 'object' && 'redirect' in how ? { location: how.redirect } : {}
    response.writeHead(status, where).end('thanks')
  }
}
