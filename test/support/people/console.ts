import type { PasskeyCreation, PasskeyRequest } from '@sallyport/contract/customer/auth-shapes'
import type { Answer, TestService } from '../service.ts'
import { type Circumstances, SoftPasskey } from './authenticator.ts'

/** Where an answer leaves a cookie, its name and value. */
export const cookieIn = ({ headers }: Answer): string | undefined =>
  headers.get('set-cookie')?.split(';', 1)[0]

/** The secret that a link hides from servers. */
export const secretOf = (link: string): string => new URL(link).hash.slice(1)

/** An operator at a browser: it keeps the cookie, and its page sends the header that writes need. */
export class ConsolePerson {
  readonly origin: string
  cookie = ''
  readonly #service: TestService

  constructor(service: TestService) {
    this.#service = service
    this.origin = service.running.url.replace('127.0.0.1', 'localhost')
  }

  get headers(): Record<string, string> {
    return { ...(this.cookie && { cookie: this.cookie }), 'x-sallyport-console': '1' }
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const all = { ...this.headers, ...headers }
    const answer = await this.#service.call(method, `/operator/v1${path}`, { body, headers: all })
    this.cookie = cookieIn(answer) ?? this.cookie
    return answer
  }

  openLink({ sign_in_link: link }: { readonly sign_in_link: string }): Promise<Answer> {
    return this.call('POST', '/auth/link', { token: secretOf(link) })
  }

  async creation(): Promise<PasskeyCreation> {
    return (await this.call('POST', '/auth/passkeys/registration/options')).body.data
  }

  verifyNew(body: object): Promise<Answer> {
    return this.call('POST', '/auth/passkeys/registration/verify', body)
  }

  async register(passkey = new SoftPasskey(), circumstances: Partial<Circumstances> = {}): Promise<Answer> {
    const { origin } = this
    return this.verifyNew(passkey.create(await this.creation(), { origin, ...circumstances }))
  }

  async request(what: '' | '/proof' = ''): Promise<PasskeyRequest> {
    return (await this.call('POST', `/auth/passkeys${what}/options`)).body.data
  }

  async signIn(passkey: SoftPasskey, circumstances: Partial<Circumstances> = {}): Promise<Answer> {
    const signed = passkey.get(await this.request(), { origin: this.origin, ...circumstances })
    return this.call('POST', '/auth/passkeys/verify', signed)
  }

  async prove(passkey: SoftPasskey, circumstances: Partial<Circumstances> = {}): Promise<Answer> {
    const signed = passkey.get(await this.request('/proof'), { origin: this.origin, ...circumstances })
    return this.call('POST', '/auth/passkeys/proof/verify', signed)
  }

  me(): Promise<Answer> {
    return this.call('GET', '/me')
  }
}
