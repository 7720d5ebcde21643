import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import type { Answer, TestService } from '../service.ts'
import { initDataOf } from './telegram.ts'

/** People who sign in through Telegram, because a test can do Telegram's part; the service needs its `botToken`. */
export class TestSessions {
  readonly #service: TestService
  #lastPerson = 6_000_000_000

  constructor(service: TestService) {
    this.#service = service
  }

  /** A session of somebody new. */
  signIn(): Promise<SignedIn> {
    this.#lastPerson++
    return this.signInAgain()
  }

  /** One more session of whoever came last. */
  async signInAgain(): Promise<SignedIn> {
    const body = { init_data: initDataOf(this.#lastPerson, this.#service.clock.now()) }
    const answer = await this.#service.call('POST', '/v1/auth/telegram', { body })
    if (answer.status !== 200) throw new Error(`Not signed in: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  refresh(token: string): Promise<Answer> {
    return this.#service.call('POST', '/v1/auth/refresh', { body: { refresh_token: token } })
  }

  async refreshed(token: string): Promise<SignedIn> {
    return (await this.refresh(token)).body.data
  }

  logout(token: string): Promise<Answer> {
    return this.#service.call('POST', '/v1/auth/logout', { token })
  }

  logoutAll(token: string): Promise<Answer> {
    return this.#service.call('POST', '/v1/auth/logoutAll', { token })
  }

  /** Of an ordinary call with this token. */
  async statusOf(token: string): Promise<number> {
    return (await this.#service.call('GET', '/v1/profile', { token })).status
  }

  async apiKeyOf({ session_token: token }: SignedIn): Promise<string> {
    const answer = await this.#service.call('POST', '/v1/profile/api-keys', { token, body: {} })
    return answer.body.data.api_key
  }

  async eventsOf({ user_id }: SignedIn): Promise<string[]> {
    const rows = await this.#service.db
      .selectFrom('account_events')
      .select('kind')
      .where('user_id', '=', user_id)
      .orderBy('id')
      .execute()
    return rows.map((row) => row.kind)
  }
}
