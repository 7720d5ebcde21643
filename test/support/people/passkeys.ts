import type { PasskeyCreation, PasskeyRequest } from '@sallyport/contract/customer/auth-shapes'
import type { Answer, TestService, TestUser } from '../service.ts'
import { type Circumstances, SoftPasskey } from './authenticator.ts'

/** The calls of a page that registers passkeys and signs in with them. */
export class PasskeyPage {
  readonly origin: string
  readonly #service: TestService

  constructor(service: TestService) {
    this.#service = service
    this.origin = service.running.url.replace('127.0.0.1', 'localhost')
  }

  profile(user: TestUser, method: string, path = '', body?: unknown, headers?: Record<string, string>) {
    const token = user.session_token
    return this.#service.call(method, `/v1/profile/passkeys${path}`, {
      token,
      body,
      ...(headers && { headers }),
    })
  }

  async begin(user: TestUser): Promise<PasskeyCreation> {
    return (await this.profile(user, 'POST')).body.data
  }

  verifyNew(user: TestUser, body: object, headers?: Record<string, string>): Promise<Answer> {
    return this.profile(user, 'POST', '/verify', body, headers)
  }

  async register(
    user: TestUser,
    passkey = new SoftPasskey(),
    circumstances: Partial<Circumstances> = {},
  ): Promise<Answer> {
    const made = passkey.create(await this.begin(user), { origin: this.origin, ...circumstances })
    return this.verifyNew(user, made)
  }

  async list(user: TestUser) {
    return (await this.profile(user, 'GET')).body.data
  }

  remove(user: TestUser, id: number): Promise<Answer> {
    return this.profile(user, 'DELETE', `/${id}`)
  }

  async ask(): Promise<PasskeyRequest> {
    return (await this.#service.call('POST', '/v1/auth/passkey/options')).body.data
  }

  verify(body: object): Promise<Answer> {
    return this.#service.call('POST', '/v1/auth/passkey/verify', { body })
  }

  async signIn(passkey: SoftPasskey, circumstances: Partial<Circumstances> = {}): Promise<Answer> {
    return this.verify(passkey.get(await this.ask(), { origin: this.origin, ...circumstances }))
  }

  async eventsOf({ id }: TestUser): Promise<string[]> {
    const { db } = this.#service
    const rows = await db.selectFrom('account_events').select('kind').where('user_id', '=', id).execute()
    return rows.map((row) => row.kind)
  }
}
