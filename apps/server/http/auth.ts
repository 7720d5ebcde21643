import { createPublicKey } from 'node:crypto'
import { ApiError, type Problem } from '@sallyport/contract/errors'
import type { Auth, Role } from '@sallyport/contract/operation'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import type { Bus } from '../core/bus.ts'
import { findApiKey, findNodeKey, findOperatorToken, findSession } from '../core/credentials.ts'
import type { SessionTokens } from '../core/session-tokens.ts'
import { Gate, type Toll } from '../core/strangers.ts'
import { isOurApiKey, parseToken } from '../core/tokens.ts'
import { sameBytes, sha256, type Vault } from '../core/vault.ts'
import type { Db } from '../db/client.ts'
import type { Clock } from '../ports/clock.ts'

export type Actor =
  | {
      readonly kind: 'customer'
      readonly id: number
      /** Undefined for an API key. */
      readonly sessionId: string | undefined
      readonly isBlocked: boolean
    }
  | { readonly kind: 'operator'; readonly id: number; readonly role: Role }
  | { readonly kind: 'node'; readonly id: number }

interface CacheEntry {
  readonly value: unknown
  readonly freshUntilMs: number
}

/** Only a bound for what nobody asks for: revocation does not wait for it. */
const cacheTtlMs = 10 * 60_000
const cacheSize = 50_000

/**
 * Credentials already looked up. Revocation is announced on the bus and forgets them at once on every
 * instance; when the bus is not live nothing is remembered.
 */
class CredentialCache {
  readonly #entries = new Map<string, CacheEntry>()
  readonly #bus: Bus
  #changes = 0

  constructor(bus: Bus) {
    this.#bus = bus
    bus.onPrefix('auth:', (key) => this.#entries.delete(key))
    bus.onPrefix('auth:u:', (userId) => this.#forgetUser(Number(userId)))
    bus.onLive(() => this.#forgetAll())
  }

  #forgetAll(): void {
    this.#changes++
    this.#entries.clear()
  }

  /** Looks at every entry: it happens rarely, and an index by customer would cost every request. */
  #forgetUser(userId: number): void {
    this.#changes++
    for (const [key, { value }] of this.#entries) {
      if ((value as { user_id?: number }).user_id === userId) this.#entries.delete(key)
    }
  }

  get<T>(key: string): T | undefined {
    const entry = this.#entries.get(key)
    return entry && entry.freshUntilMs > Date.now() ? (entry.value as T) : undefined
  }

  async load<T>(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.get<T>(key)
    if (known !== undefined) return known
    let isStale = false
    const stopWatching = this.#bus.on(`auth:${key}`, () => {
      isStale = true
    })
    // Whose credential is being read is not known yet, so a change of any customer counts; so does a silent bus.
    const changesBefore = this.#changes
    const value = await read().finally(stopWatching)
    if (isStale || changesBefore !== this.#changes) return value
    if (value === undefined || !this.#bus.isLive) return value
    if (this.#entries.size >= cacheSize) this.#entries.delete(this.#entries.keys().next().value as string)
    this.#entries.set(key, { value, freshUntilMs: Date.now() + cacheTtlMs })
    return value
  }
}

interface Bearer {
  readonly prefix: string
  readonly secret: string
}

const absentHash = Buffer.alloc(32)

export const notAnApiKey: Problem = {
  path: 'Authorization',
  problem: 'needs a session token, not an API key',
}

export class Authenticator {
  readonly #db: Db
  readonly #vault: Vault
  readonly #gate = new Gate()
  readonly #clock: Clock
  readonly #sessions: SessionTokens
  readonly #cache: CredentialCache
  readonly #onKeyUsed: (apiKeyId: number) => void

  constructor(at: {
    db: Db
    vault: Vault
    bus: Bus
    clock: Clock
    sessions: SessionTokens
    onKeyUsed: (apiKeyId: number) => void
  }) {
    this.#db = at.db
    this.#vault = at.vault
    this.#clock = at.clock
    this.#sessions = at.sessions
    this.#onKeyUsed = at.onKeyUsed
    this.#cache = new CredentialCache(at.bus)
  }

  /**
   * Undefined when there is no valid credential of the kind this operation takes, or when the toll of those who have none
   * is spent and the database would have to be asked.
   */
  async resolve(authorization: string | undefined, auth: Auth, toll: Toll): Promise<Actor | undefined> {
    if (!authorization || authorization.length > 4096) return undefined
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    if (!token) return undefined
    if (auth === 'agent') return this.#node(token, toll)
    const parsed = parseToken(token)
    // Whether the key is good is not asked: none is, where one signs in.
    if (auth === 'visitor' && parsed) throw new ApiError('FORBIDDEN', [notAnApiKey])
    if (auth === 'operator') return parsed?.kind === 'slo' ? this.#operator(parsed, toll) : undefined
    if (parsed) return parsed.kind === 'slp' ? this.#apiKey(parsed, toll) : undefined
    return this.#session(token, toll)
  }

  /** What is remembered costs nothing; what would have to be looked up has to pass the gate. */
  async #find<T>(
    id: string,
    isOurs: () => boolean,
    toll: Toll,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const known = this.#cache.get<T>(id)
    if (known !== undefined) return known
    return this.#gate.find({ id, isOurs: isOurs() }, toll, () => this.#cache.load(id, read))
  }

  async #apiKey({ prefix, secret }: Bearer, toll: Toll): Promise<Actor | undefined> {
    const isOurs = () => isOurApiKey(this.#vault, prefix)
    const key = await this.#find(`k:${prefix}`, isOurs, toll, () => findApiKey(this.#db, prefix))
    const isRight = sameBytes(key?.secret_hash ?? absentHash, sha256(secret))
    if (!key || !isRight) return undefined
    this.#onKeyUsed(key.id)
    return { kind: 'customer', id: key.user_id, sessionId: undefined, isBlocked: key.is_blocked }
  }

  async #session(token: string, toll: Toll): Promise<Actor | undefined> {
    // Checking a signature costs more than the rest of a request, so a token is checked once.
    const tokenKey = `t:${sha256(token).toString('base64')}`
    const claims = await this.#cache.load(tokenKey, () => this.#sessions.verify(token))
    if (!claims || claims.expiresAt <= this.#clock.now()) return undefined
    // Its signature is ours.
    const session = await this.#find(
      `s:${claims.sessionId}`,
      () => true,
      toll,
      () => findSession(this.#db, claims.sessionId),
    )
    if (!session || session.user_id !== claims.userId) return undefined
    if (session.expires_at <= this.#clock.now()) return undefined
    return {
      kind: 'customer',
      id: session.user_id,
      sessionId: claims.sessionId,
      isBlocked: session.is_blocked,
    }
  }

  async #operator({ prefix, secret }: Bearer, toll: Toll): Promise<Actor | undefined> {
    const operator = await this.#find(
      `o:${prefix}`,
      () => false,
      toll,
      () => findOperatorToken(this.#db, prefix),
    )
    const isRight = sameBytes(operator?.token_hash ?? absentHash, sha256(secret))
    return operator && isRight ? { kind: 'operator', id: operator.id, role: operator.role } : undefined
  }

  async #node(token: string, toll: Toll): Promise<Actor | undefined> {
    try {
      const id = Number(decodeProtectedHeader(token).kid)
      if (!Number.isSafeInteger(id) || id < 1) return undefined
      const publicKey = await this.#find(
        `n:${id}`,
        () => false,
        toll,
        () => findNodeKey(this.#db, id),
      )
      if (!publicKey) return undefined
      await jwtVerify(
        token,
        createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' }),
        {
          algorithms: ['EdDSA'],
          typ: 'agent+jwt',
          issuer: 'sallyport-agent',
          audience: 'sallyport',
          requiredClaims: ['exp', 'iat'],
          maxTokenAge: 300,
          clockTolerance: 60,
        },
      )
      return { kind: 'node', id }
    } catch {
      return undefined
    }
  }
}
