import { createPublicKey } from 'node:crypto'
import { ApiError, type Problem } from '@sallyport/contract/errors'
import type { Auth, Role } from '@sallyport/contract/operation'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import {
  type FoundOperator,
  findApiKey,
  findSession,
  readNodeKeys,
  readOperators,
} from '../../core/accounts/credentials.ts'
import type { SessionTokens } from '../../core/accounts/session-tokens.ts'
import type { Bus } from '../../core/kernel/bus.ts'
import { Gate, type Toll } from '../../core/kernel/strangers.ts'
import { isOurApiKey, parseToken } from '../../core/kernel/tokens.ts'
import { sameBytes, sha256, type Vault } from '../../core/kernel/vault.ts'
import type { Db } from '../../db/client.ts'
import type { Clock } from '../../ports/clock.ts'
import { CredentialCache } from './credential-cache.ts'
import { FewKeys } from './few-keys.ts'

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

interface Bearer {
  readonly prefix: string
  readonly secret: string
}

const absentHash = Buffer.alloc(32)

export const notAnApiKey: Problem = {
  path: 'Authorization',
  problem: 'needs a session token, not an API key',
}

/** The node that a token says it is of; undefined when it says none. */
const nodeIdOf = (token: string): number | undefined => {
  try {
    const id = Number(decodeProtectedHeader(token).kid)
    return Number.isSafeInteger(id) && id > 0 ? id : undefined
  } catch {
    return undefined
  }
}

export class Authenticator {
  readonly #db: Db
  readonly #vault: Vault
  readonly #gate = new Gate()
  readonly #clock: Clock
  readonly #sessions: SessionTokens
  readonly #cache: CredentialCache
  readonly #operators: FewKeys<FoundOperator>
  readonly #nodes: FewKeys<string>
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
    this.#operators = new FewKeys(at.bus, 'auth:o:', () => readOperators(at.db))
    this.#nodes = new FewKeys(at.bus, 'auth:n:', () => readNodeKeys(at.db))
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
    const operator = await this.#operators.find(prefix, toll)
    const isRight = sameBytes(operator?.token_hash ?? absentHash, sha256(secret))
    return operator && isRight ? { kind: 'operator', id: operator.id, role: operator.role } : undefined
  }

  /** A database that does not answer is not the agent's fault: that is thrown, and not taken for a wrong token. */
  async #node(token: string, toll: Toll): Promise<Actor | undefined> {
    const id = nodeIdOf(token)
    const publicKey = id && (await this.#nodes.find(String(id), toll))
    if (!publicKey) return undefined
    try {
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
