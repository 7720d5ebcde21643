import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { importJWK, type JWTPayload, SignJWT } from 'jose'
import Provider, { type Adapter, type AdapterPayload, type ClientAuthMethod } from 'oidc-provider'
import { freePort } from '../ports.ts'

/** A real OpenID Connect provider on this machine; people agree by coming to its page as themselves. */

/** What it says about somebody beside `sub`. */
export type Person = Record<string, unknown>

export interface ProviderSettings {
  readonly redirectUris: readonly string[]
  /** Google tells the address in the token; others only when asked for it. */
  readonly tellsEmailInToken?: boolean
  readonly authMethod?: ClientAuthMethod
}

export const oidcClient = { clientId: 'sallyport', clientSecret: 'a secret: 100% + more/less' }

class MapAdapter implements Adapter {
  readonly #rows = new Map<string, AdapterPayload>()

  upsert = async (id: string, payload: AdapterPayload) => void this.#rows.set(id, payload)
  find = async (id: string) => this.#rows.get(id)
  findByUid = async (uid: string) => [...this.#rows.values()].find((row) => row.uid === uid)
  findByUserCode = async () => undefined
  destroy = async (id: string) => void this.#rows.delete(id)

  consume = async (id: string) => {
    const row = this.#rows.get(id)
    if (row) row.consumed = Math.floor(Date.now() / 1000)
  }

  revokeByGrantId = async (grantId: string) => {
    for (const [id, row] of this.#rows) if (row.grantId === grantId) this.#rows.delete(id)
  }
}

const newKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) as Record<
    string,
    string
  >
const keyId = 'the-only-key'

export class TestOidcProvider {
  readonly people = new Map<string, Person>()
  /** Changes what the token endpoint answers. */
  rewriteTokens: ((body: Record<string, unknown>) => Promise<Record<string, unknown>>) | undefined
  readonly requests: string[] = []
  /** How whoever exchanged a code last showed who they are. */
  lastCredential: 'header' | 'form' | undefined
  readonly #settings: ProviderSettings
  readonly #key = { ...newKey(), use: 'sig', alg: 'RS256', kid: keyId }
  #server: Server | undefined
  #provider: Provider | undefined
  #port = 0

  constructor(settings: ProviderSettings) {
    this.#settings = settings
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Again at the same address after a stop. */
  async start(): Promise<this> {
    this.#port ||= await freePort()
    const server = createServer((request, response) => void this.#serve(request, response))
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#server = server
    this.#provider ??= this.#make()
    return this
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined))
  }

  /** A token with these claims, signed as the provider would, or by a stranger who uses its key's name. */
  async sign(claims: JWTPayload, by: 'provider' | 'stranger' = 'provider'): Promise<string> {
    const key = await importJWK(by === 'provider' ? this.#key : newKey(), 'RS256')
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: keyId }).sign(key)
  }

  #make(): Provider {
    const { authMethod, redirectUris, tellsEmailInToken } = this.#settings
    const method = authMethod ?? 'client_secret_basic'
    const provider = new Provider(this.issuer, {
      adapter: MapAdapter,
      clients: [
        {
          client_id: oidcClient.clientId,
          client_secret: oidcClient.clientSecret,
          redirect_uris: redirectUris,
          token_endpoint_auth_method: method,
        },
      ],
      clientAuthMethods: [method],
      claims: { openid: ['sub'], email: ['email', 'email_verified', 'hd'] },
      conformIdTokenClaims: !tellsEmailInToken,
      cookies: { keys: [randomBytes(16).toString('hex')] },
      features: { devInteractions: { enabled: false } },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: async () => ({ sub, ...this.people.get(sub) }),
      }),
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      jwks: { keys: [this.#key] },
      ttl: {
        AccessToken: 60,
        AuthorizationCode: 60,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
      },
    })
    provider.use(async (context, next) => {
      await next()
      if (context.path !== '/token' || context.status !== 200 || !this.rewriteTokens) return
      context.body = await this.rewriteTokens(context.body as Record<string, unknown>)
    })
    return provider
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.issuer)
    this.requests.push(pathname)
    if (pathname === '/token') this.lastCredential = request.headers.authorization ? 'header' : 'form'
    if (pathname.startsWith('/interaction/')) return this.#agree(request, response, searchParams)
    return this.#provider?.callback()(request, response)
  }

  /** The page where a person says who they are (`?as=`) or refuses. */
  async #agree(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
    const provider = this.#provider as Provider
    const accountId = query.get('as')
    if (accountId === null) {
      return provider.interactionFinished(request, response, { error: 'access_denied' })
    }
    const grant = new provider.Grant({ accountId, clientId: oidcClient.clientId })
    grant.addOIDCScope('openid email')
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(request, response, { login: { accountId }, consent })
  }
}
