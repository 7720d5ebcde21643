import { randomBytes } from 'node:crypto'
import type { Configuration, IDToken, UserInfoResponse } from 'openid-client'
import {
  type IdentityProvider,
  IdentityRefused,
  IdentityUnavailable,
  type ProvenIdentity,
  type ProviderAnswer,
} from '../../ports/identity.ts'

export interface OidcOptions {
  readonly name: string
  readonly title: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string
  readonly trustsEmail: 'always' | 'never' | 'google'
  /** For each request. */
  readonly timeoutSeconds?: number
}

type Library = typeof import('openid-client')
type Claims = IDToken | UserInfoResponse

interface Connection {
  readonly library: Library
  readonly config: Configuration
}

interface Checks {
  readonly verifier: string
  readonly nonce: string
}

const usualTimeoutSeconds = 5
const wellKnown = '/.well-known/openid-configuration'
/** What OpenID Connect allows; anything else would not be found again. */
const subjectShape = /^[\x20-\x7e]{1,255}$/

/** An answer arrived, and it is not one to believe. */
const refusals = new Set([
  'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])

type LibraryError = Error & { readonly code?: string; readonly error?: string }

/** Only names are passed on: causes hold tokens and what the provider says about people. */
const reasonOf = ({ code, error, message, cause }: LibraryError): string =>
  [message, code, error, (cause as { code?: unknown } | undefined)?.code]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(', ')

const failureOf = (error: unknown): IdentityRefused | IdentityUnavailable => {
  if (error instanceof IdentityRefused || error instanceof IdentityUnavailable) return error
  const thrown = error as LibraryError
  const isRefusal = refusals.has(thrown.code ?? '') || thrown.error === 'invalid_grant'
  return isRefusal ? new IdentityRefused(reasonOf(thrown)) : new IdentityUnavailable(reasonOf(thrown))
}

/**
 * Whose mailbox it is may have changed since a provider checked it. Google runs the mailboxes of gmail.com and of the
 * organisations it names in `hd`; for other addresses it only once sent a letter.
 */
export const trustedEmail = (claims: Claims, trusts: OidcOptions['trustsEmail']): string | null => {
  const { email, email_verified: isVerified, hd } = claims
  if (trusts === 'never' || typeof email !== 'string' || isVerified !== true) return null
  if (trusts === 'always') return email
  const isOrganisation = typeof hd === 'string' && hd !== ''
  return isOrganisation || email.toLowerCase().endsWith('@gmail.com') ? email : null
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

/** Any provider that speaks OpenID Connect. */
export class OidcProvider implements IdentityProvider {
  readonly name: string
  readonly title: string
  readonly #options: OidcOptions
  /** What the provider says about itself; forgotten when it cannot be asked, and learned anew. */
  #connection: Promise<Connection> | undefined

  constructor(options: OidcOptions) {
    this.name = options.name
    this.title = options.title
    this.#options = options
  }

  begin(at: { readonly redirectUri: string; readonly state: string }) {
    return this.#asking(async ({ library, config }) => {
      const checks: Checks = {
        verifier: library.randomPKCECodeVerifier(),
        nonce: randomBytes(32).toString('base64url'),
      }
      const url = library.buildAuthorizationUrl(config, {
        redirect_uri: at.redirectUri,
        scope: this.#options.scope,
        state: at.state,
        nonce: checks.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(checks.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, checks: JSON.stringify(checks) }
    })
  }

  finish(at: {
    readonly redirectUri: string
    readonly checks: string
    readonly answer: ProviderAnswer
  }): Promise<ProvenIdentity> {
    return this.#asking(async (connection) => {
      const { verifier, nonce } = JSON.parse(at.checks) as Checks
      const { code, state, iss } = at.answer
      const callback = new URL(at.redirectUri)
      callback.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString()
      const tokens = await connection.library.authorizationCodeGrant(connection.config, callback, {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
        // Whoever calls this found the checks by the state.
        expectedState: state,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims || !subjectShape.test(claims.sub)) throw new IdentityRefused('the subject is not usable')
      const person = await this.#withEmail(connection, tokens.access_token, claims)
      return { subject: claims.sub, email: trustedEmail(person, this.#options.trustsEmail) }
    })
  }

  /** Many providers tell the address only when they are asked for it. */
  async #withEmail({ library, config }: Connection, accessToken: string, claims: IDToken): Promise<Claims> {
    const isWanted = this.#options.trustsEmail !== 'never' && claims.email === undefined
    if (!isWanted || config.serverMetadata().userinfo_endpoint === undefined) return claims
    return library.fetchUserInfo(config, accessToken, claims.sub)
  }

  async #asking<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    this.#connection ??= this.#connect()
    const connection = this.#connection
    try {
      return await work(await connection)
    } catch (error) {
      const failure = failureOf(error)
      const isAway = failure instanceof IdentityUnavailable
      if (isAway && this.#connection === connection) this.#connection = undefined
      throw failure
    }
  }

  /** Whatever the provider says of itself that makes no sense, it says about no person: nobody is refused for it. */
  async #connect(): Promise<Connection> {
    try {
      return await this.#discover()
    } catch (error) {
      throw new IdentityUnavailable(reasonOf(error as LibraryError))
    }
  }

  /** The library is loaded when somebody first needs it. */
  async #discover(): Promise<Connection> {
    const library = await import('openid-client')
    const { clientId, clientSecret } = this.#options
    const issuer = withoutSlash(this.#options.issuer)
    const execute = [library.enableNonRepudiationChecks]
    // The configuration lets only this machine be asked so.
    if (issuer.startsWith('http:')) execute.push(library.allowInsecureRequests)
    const config = await library.discovery(
      new URL(issuer + wellKnown),
      clientId,
      undefined,
      (server, ...rest) => {
        const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
        const isBasic = methods.includes('client_secret_basic')
        const authenticate = isBasic ? library.ClientSecretBasic : library.ClientSecretPost
        return authenticate(clientSecret)(server, ...rest)
      },
      { execute, timeout: this.#options.timeoutSeconds ?? usualTimeoutSeconds },
    )
    if (withoutSlash(config.serverMetadata().issuer) !== issuer) {
      throw new IdentityUnavailable('the issuer calls itself otherwise')
    }
    return { library, config }
  }
}
