import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local program that speaks a provider's published API, and fails when the test says so. */

/** before: nothing happened; after: it happened, and the answer does not say so. */
export type Fault = 'none' | 'error-before' | 'error-after' | 'cut-before' | 'cut-after'

export interface ProviderRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface ProviderReply {
  readonly status: number
  readonly json: unknown
}

/** A call the provider wants to make to /webhooks/<name>. */
export interface Webhook {
  readonly provider: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

export abstract class StandIn {
  /** Webhooks it has not sent: the test delivers them when and as often as it likes. */
  readonly webhooks: Webhook[] = []
  readonly requests: ProviderRequest[] = []
  /** What goes wrong with the next request; a promise keeps the answer waiting. */
  fault: (request: ProviderRequest) => Fault | Promise<Fault> = () => 'none'
  #server: Server | undefined
  url = ''

  /** The provider's own behaviour. */
  protected abstract answer(request: ProviderRequest): ProviderReply

  /** What it says when it fails by itself. */
  protected abstract failure(): ProviderReply

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#serve(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return this
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined))
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://provider')
    const request = {
      method: incoming.method ?? '',
      path: pathname,
      query: searchParams,
      headers: incoming.headers,
      body: await read(incoming),
    }
    this.requests.push(request)
    const fault = await this.fault(request)
    if (fault === 'cut-before') return void incoming.socket.destroy()
    const reply = fault === 'error-before' ? this.failure() : this.answer(request)
    if (fault === 'cut-after') return void incoming.socket.destroy()
    const shown = fault === 'error-after' ? this.failure() : reply
    response.writeHead(shown.status, { 'content-type': 'application/json' }).end(JSON.stringify(shown.json))
  }
}

export const deliver = (serviceUrl: string, webhook: Webhook): Promise<Response> =>
  fetch(`${serviceUrl}/webhooks/${webhook.provider}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...webhook.headers },
    body: webhook.body,
  })
