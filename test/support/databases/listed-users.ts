import type { RunningService } from '../../../apps/server/main.ts'

/** Users as the primary lists them to an operator, and as whoever answers exports does. */
export class ListedUsers {
  readonly #service: () => RunningService
  readonly #token: () => string

  constructor(service: () => RunningService, token: () => string) {
    this.#service = service
    this.#token = token
  }

  async add(): Promise<number> {
    return (await this.call('POST', '/users')).status
  }

  async listed(): Promise<number> {
    return JSON.parse((await this.call('GET', '/users')).text).data.items.length
  }

  async exported(): Promise<number> {
    return (await this.call('GET', '/users', 'text/csv')).text.trimEnd().split('\n').length - 1
  }

  async call(method: string, path: string, accept = 'application/json') {
    const response = await fetch(`${this.#service().url}/operator/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token()}`, accept, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '{}' }),
    })
    return { status: response.status, text: await response.text() }
  }
}
