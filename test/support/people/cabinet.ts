import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import type { Answer, CallOptions, TestService } from '../service.ts'
import { initDataOf } from './telegram.ts'

let lastPerson = 7_000_000_000

/** A customer at the pages of the cabinet: the browser keeps the cookie, and the page sends its header. */
export class CabinetPerson {
  /** Name and value. */
  cookie: string | undefined
  readonly telegramId = ++lastPerson
  readonly #service: TestService

  constructor(service: TestService) {
    this.#service = service
  }

  /** What a page of ours sends, and a browser with it. */
  get headers(): Record<string, string> {
    return { ...this.bare, 'x-sallyport-cabinet': '1' }
  }

  /** What a browser sends whoever made it: the cookie alone. */
  get bare(): Record<string, string> {
    return this.cookie === undefined ? {} : { cookie: this.cookie }
  }

  async call(method: string, path: string, body?: unknown, more: CallOptions = {}): Promise<Answer> {
    const headers = { ...this.headers, ...more.headers }
    const answer = await this.#service.call(method, `/v1${path}`, { ...more, body, headers })
    this.#keep(answer)
    return answer
  }

  /** By what Telegram says, because a test can do its part; the service needs the `botToken` of these tests. */
  async signIn(headers: Record<string, string> = {}): Promise<SignedIn> {
    const body = { init_data: initDataOf(this.telegramId, this.#service.clock.now()) }
    const answer = await this.call('POST', '/auth/telegram', body, { headers })
    if (answer.status !== 200) throw new Error(`Not signed in: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  async status(method = 'GET', path = '/profile'): Promise<number> {
    return (await this.call(method, path)).status
  }

  #keep({ headers }: Answer): void {
    for (const line of headers.getSetCookie().filter((one) => one.includes('sallyport-cabinet='))) {
      this.cookie = /max-age=0/i.test(line) ? undefined : line.split(';', 1)[0]
    }
  }
}
