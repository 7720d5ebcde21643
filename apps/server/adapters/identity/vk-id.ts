import { createHash, randomBytes } from 'node:crypto'
import {
  type IdentityProvider,
  IdentityRefused,
  IdentityUnavailable,
  type ProvenIdentity,
  type ProviderAnswer,
} from '../../ports/identity.ts'
import { askProvider } from '../payments/provider-http.ts'

/** VK ID, OAuth 2.1: https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description */

const usualTimeoutMs = 5000
/** Words for an answer that does not belong to this sign-in; a wrong verifier is called invalid_request. */
const refusals = new Set(['invalid_grant', 'invalid_request', 'access_denied'])

export interface VkIdOptions {
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly url: string
  readonly timeoutMs?: number
}

interface TokenAnswer {
  readonly error?: unknown
  readonly user_id?: unknown
  readonly state?: unknown
}

const isObject = (json: unknown): json is object => typeof json === 'object' && json !== null

export class VkId implements IdentityProvider {
  readonly name = 'vk'
  readonly title = 'VK ID'
  readonly #options: VkIdOptions

  constructor(options: VkIdOptions) {
    this.#options = options
  }

  async begin(at: { readonly redirectUri: string; readonly state: string }) {
    const verifier = randomBytes(48).toString('base64url')
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.#options.clientId,
      redirect_uri: at.redirectUri,
      state: at.state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    return { url: `${this.#options.url}/authorize?${query}`, checks: verifier }
  }

  /** VK tells no address that it vouches for, so none is taken. */
  async finish(at: {
    readonly redirectUri: string
    readonly checks: string
    readonly answer: ProviderAnswer
  }): Promise<ProvenIdentity> {
    const { code, state, deviceId } = at.answer
    if (!deviceId) throw new IdentityRefused('no device_id came back')
    const { clientId, clientSecret } = this.#options
    const answer = await this.#exchange({
      grant_type: 'authorization_code',
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
      redirect_uri: at.redirectUri,
      code,
      code_verifier: at.checks,
      device_id: deviceId,
      state,
    })
    if (answer.state !== state) throw new IdentityRefused('the answer is to another state')
    const subject = String(answer.user_id)
    if (!/^[1-9]\d{0,18}$/.test(subject)) throw new IdentityUnavailable('no user_id in the answer')
    return { subject, email: null }
  }

  async #exchange(form: Record<string, string>): Promise<TokenAnswer> {
    const { url, timeoutMs } = this.#options
    const { status, json } = await askProvider(`${url}/oauth2/auth`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams(form).toString(),
      timeoutMs: timeoutMs ?? usualTimeoutMs,
    }).catch((error: Error) => {
      throw new IdentityUnavailable(error.message)
    })
    if (status >= 500 || !isObject(json)) throw new IdentityUnavailable(`no sense in an answer ${status}`)
    // VK sends failures with 200 as well as with 400 and 401.
    const { error } = json as TokenAnswer
    if (typeof error === 'string' && refusals.has(error)) throw new IdentityRefused(error)
    if (error !== undefined || status !== 200) throw new IdentityUnavailable(`${status} ${String(error)}`)
    return json
  }
}
