import { createHash, randomBytes } from 'node:crypto'
import { type ProviderReply, type ProviderRequest, StandIn } from './stand-in.ts'

/** VK ID as its documentation describes it: https://id.vk.com/about/business/go/docs/ru/vkid/latest/vk-id/connection/api-integration/api-description */

interface IssuedCode {
  readonly redirectUri: string
  readonly challenge: string
  readonly deviceId: string
  readonly userId: number
  isGood: boolean
}

export class VkIdStandIn extends StandIn {
  readonly clientId = '51000001'
  readonly clientSecret = 'vk-secret'
  /** VK has been seen to send failures with 200 too. */
  failureStatus = 400
  /** Instead of the state of the request. */
  echoesState: string | undefined
  readonly #codes = new Map<string, IssuedCode>()

  get env(): Record<string, string> {
    return { VK_CLIENT_ID: this.clientId, VK_CLIENT_SECRET: this.clientSecret, VK_URL: this.url }
  }

  /** The person agrees on the page at this address; returns where VK sends the browser. */
  authorize(address: string, userId: number): string {
    const { pathname, searchParams } = new URL(address)
    const { response_type, client_id, redirect_uri, state, code_challenge, code_challenge_method } =
      Object.fromEntries(searchParams) as Record<string, string>
    const isRight = pathname === '/authorize' && response_type === 'code' && client_id === this.clientId
    if (
      !isRight ||
      !redirect_uri ||
      !state ||
      !code_challenge ||
      !/^s256$/i.test(code_challenge_method ?? '')
    ) {
      throw new Error(`VK ID would show an error for ${address}`)
    }
    const [code, deviceId] = [
      `vk2.a.${randomBytes(24).toString('base64url')}`,
      randomBytes(24).toString('base64url'),
    ]
    this.#codes.set(code, {
      redirectUri: redirect_uri,
      challenge: code_challenge,
      deviceId,
      userId,
      isGood: true,
    })
    const answer = { code, expires_in: '600', device_id: deviceId, state, ext_id: 'x', type: 'code_v2' }
    return `${redirect_uri}?${new URLSearchParams(answer)}`
  }

  /** Ten minutes pass. */
  expire(code: string): void {
    const issued = this.#codes.get(code)
    if (issued) issued.isGood = false
  }

  protected failure(): ProviderReply {
    return { status: 500, json: { error: 'server_error', error_description: 'internal' } }
  }

  protected answer({ method, path, headers, body }: ProviderRequest): ProviderReply {
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
    if (method !== 'POST' || path !== '/oauth2/auth' || !isForm) return { status: 404, json: {} }
    const form = Object.fromEntries(new URLSearchParams(body)) as Record<string, string>
    const issued = this.#codes.get(form.code ?? '')
    const challenge = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url')
    if (form.grant_type !== 'authorization_code') return this.#refuse('unsupported_grant_type', 'grant_type')
    if (form.client_id !== this.clientId) return this.#refuse('invalid_client', 'client_id is incorrect')
    if (!issued?.isGood) return this.#refuse('invalid_grant', 'code is invalid or expired')
    if (form.device_id !== issued.deviceId) return this.#refuse('invalid_grant', 'device_id is incorrect')
    if (form.redirect_uri !== issued.redirectUri)
      return this.#refuse('invalid_request', 'redirect_uri is incorrect')
    if (challenge !== issued.challenge)
      return this.#refuse('invalid_request', 'verifier is missing or invalid')
    issued.isGood = false
    return {
      status: 200,
      json: {
        refresh_token: 'vk2.a.refresh',
        access_token: 'vk2.a.access',
        id_token: 'not.looked.at',
        token_type: 'Bearer',
        expires_in: 3600,
        user_id: issued.userId,
        state: this.echoesState ?? form.state,
        scope: 'vkid.personal_info',
      },
    }
  }

  #refuse(error: string, description: string): ProviderReply {
    return { status: this.failureStatus, json: { error, error_description: description } }
  }
}
