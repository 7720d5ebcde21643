import { createPublicKey } from 'node:crypto'
import { ApiError } from '@sallyport/contract/errors'
import type { Auth } from '@sallyport/contract/operation'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import {
  type FoundOperator,
  type FoundSession,
  findApiKey,
  findCookieOwner,
  findSession,
  readNodeKeys,
  readOperators,
} from '../../core/accounts/credentials.ts'
import type { SessionTokens } from '../../core/accounts/session-tokens.ts'
import { isToProlong, prolongUsedSession } from '../../core/accounts/sessions.ts'
import type { Bus } from '../../core/kernel/bus.ts'
import { type AnonymousLimit, CredentialLookup } from '../../core/kernel/credential-lookup.ts'
import { isOurApiKey, isOurCabinetToken, isOurConsoleToken, parseToken } from '../../core/kernel/tokens.ts'
import { sameBytes, sha256, type Vault } from '../../core/kernel/vault.ts'
import { useConsoleSession } from '../../core/operators/sessions.ts'
import type { CacheCount } from '../../core/seeing/cache-counts.ts'
import type { Db } from '../../db/client.ts'
import { type Actor, notAnApiKey } from '../../operations/actor.ts'
import type { Clock } from '../../ports/clock.ts'
import { CredentialCache } from './credential-cache.ts'
import { WholeTableCache } from './whole-table-cache.ts'

interface Bearer {
  readonly prefix: string
  readonly secret: string
}

const absentHash = Buffer.alloc(32)

/** The node that a token says it is of; undefined when it says none. */
const nodeIdOf = (token: string): number | undefined => {
  try {
    const id = Number(decodeProtectedHeader(token).kid)
    return Number.isSafeInteger(id) && id > 0 ? id : undefined
  } catch {
    return undefined
  }
}

const isSignedFor = async (publicKey: string, token: string): Promise<boolean> => {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
    await jwtVerify(token, key, {
      algorithms: ['EdDSA'],
      typ: 'agent+jwt',
      issuer: 'sallyport-agent',
      audience: 'sallyport',
      requiredClaims: ['exp', 'iat'],
      maxTokenAge: 300,
      clockTolerance: 60,
    })
    return true
  } catch {
    return false
  }
}

/** A customer whose session a cookie shows. */
export interface CabinetActor {
  readonly actor: Actor
  /** The session lasts longer from now on, and so should the cookie. */
  readonly isProlonged: boolean
}

export class Authenticator {
  readonly #db: Db
  readonly #bus: Bus
  readonly #vault: Vault
  readonly #lookup = new CredentialLookup()
  readonly #clock: Clock
  readonly #sessions: SessionTokens
  readonly #cache: CredentialCache
  readonly #operators: WholeTableCache<FoundOperator>
  readonly #nodes: WholeTableCache<string>
  readonly #onKeyUsed: (apiKeyId: number) => void
  readonly #onTokenUsed: (operatorTokenId: number) => void

  constructor(at: {
    db: Db
    vault: Vault
    bus: Bus
    clock: Clock
    sessions: SessionTokens
    /** How often what is remembered is enough. */
    count?: CacheCount
    onKeyUsed: (apiKeyId: number) => void
    onTokenUsed: (operatorTokenId: number) => void
  }) {
    this.#db = at.db
    this.#bus = at.bus
    this.#vault = at.vault
    this.#clock = at.clock
    this.#sessions = at.sessions
    this.#onKeyUsed = at.onKeyUsed
    this.#onTokenUsed = at.onTokenUsed
    this.#cache = new CredentialCache(at.bus, at.count)
    this.#operators = new WholeTableCache(at.bus, 'auth:o:', () => readOperators(at.db))
    this.#nodes = new WholeTableCache(at.bus, 'auth:n:', () => readNodeKeys(at.db))
  }

  /**
   * Undefined when there is no valid credential of the kind this operation takes, or when the limit of those who have none
   * is spent and the database would have to be asked.
   */
  async resolve(
    authorization: string | undefined,
    auth: Auth,
    anonymous: AnonymousLimit,
    consoleToken?: string,
  ): Promise<Actor | undefined> {
    if (consoleToken !== undefined && auth === 'operator') return this.#console(consoleToken, anonymous)
    if (!authorization || authorization.length > 4096) return undefined
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
    if (!token) return undefined
    if (auth === 'agent') return this.#node(token, anonymous)
    const parsed = parseToken(token)
    // Whether the key is good is not asked: none is, where one signs in.
    if (auth === 'visitor' && parsed) throw new ApiError('FORBIDDEN', [notAnApiKey])
    if (auth === 'operator') return parsed?.kind === 'slo' ? this.#operator(parsed, anonymous) : undefined
    if (parsed) return parsed.kind === 'slp' ? this.#apiKey(parsed, anonymous) : undefined
    return this.#session(token, anonymous)
  }

  /** What is remembered costs nothing; what would have to be looked up has to pass the limit of guesses. */
  async #find<T>(
    id: string,
    isOurs: () => boolean,
    anonymous: AnonymousLimit,
    read: () => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const known = this.#cache.get<T>(id)
    if (known !== undefined) return known
    return this.#lookup.find({ id, isOurs: isOurs() }, anonymous, () => this.#cache.load(id, read))
  }

  async #apiKey({ prefix, secret }: Bearer, anonymous: AnonymousLimit): Promise<Actor | undefined> {
    const isOurs = () => isOurApiKey(this.#vault, prefix)
    const key = await this.#find(`k:${prefix}`, isOurs, anonymous, () => findApiKey(this.#db, prefix))
    const isRight = sameBytes(key?.secret_hash ?? absentHash, sha256(secret))
    if (!key || !isRight) return undefined
    this.#onKeyUsed(key.id)
    return { kind: 'customer', id: key.user_id, sessionId: undefined, isBlocked: key.is_blocked }
  }

  async #session(token: string, anonymous: AnonymousLimit): Promise<Actor | undefined> {
    // Checking a signature costs more than the rest of a request, so a token is checked once.
    const tokenKey = `t:${sha256(token).toString('base64')}`
    const claims = await this.#cache.load(tokenKey, () => this.#sessions.verify(token))
    if (!claims || claims.expiresAt <= this.#clock.now()) return undefined
    const session = await this.#findSession(claims.sessionId, anonymous)
    if (!this.#isLiving(session, claims.userId)) return undefined
    return {
      kind: 'customer',
      id: session.user_id,
      sessionId: claims.sessionId,
      isBlocked: session.is_blocked,
    }
  }

  /** Of a credential that is ours: its signature, or the row that has its hash. */
  #findSession(id: string, anonymous: AnonymousLimit): Promise<FoundSession | undefined> {
    return this.#find(
      `s:${id}`,
      () => true,
      anonymous,
      () => findSession(this.#db, id),
    )
  }

  #isLiving(session: FoundSession | undefined, userId: number): session is FoundSession {
    return session?.user_id === userId && session.expires_at > this.#clock.now()
  }

  /** By the cookie of the cabinet; undefined when it shows no session that goes on. */
  async resolveCabinet(token: string, anonymous: AnonymousLimit): Promise<CabinetActor | undefined> {
    if (token.length > 256) return undefined
    const hash = sha256(token)
    const owner = await this.#find(
      `w:${hash.toString('base64')}`,
      () => isOurCabinetToken(this.#vault, token),
      anonymous,
      () => findCookieOwner(this.#db, hash),
    )
    if (!owner) return undefined
    const { session_id: sessionId, user_id: userId } = owner
    const session = await this.#findSession(sessionId, anonymous)
    if (!this.#isLiving(session, userId)) return undefined
    const now = this.#clock.now()
    const isProlonged =
      !session.is_blocked &&
      isToProlong(session.expires_at, now) &&
      (await prolongUsedSession({ db: this.#db, bus: this.#bus }, sessionId, now))
    return {
      actor: { kind: 'customer', id: userId, sessionId, isBlocked: session.is_blocked },
      isProlonged,
    }
  }

  async #operator({ prefix, secret }: Bearer, anonymous: AnonymousLimit): Promise<Actor | undefined> {
    const hash = sha256(secret)
    const operator = await this.#operators.find(prefix, anonymous, (known) =>
      sameBytes(known.secret_hash, hash),
    )
    if (!operator) return undefined
    const { id, role, operations, token_id: tokenId, expires_at: expiresAt } = operator
    if (expiresAt !== null && expiresAt <= this.#clock.now()) return undefined
    this.#onTokenUsed(tokenId)
    return { kind: 'operator', id, role, operations }
  }

  async #console(token: string, anonymous: AnonymousLimit): Promise<Actor | undefined> {
    if (token.length > 256) return undefined
    const credential = {
      id: `c:${sha256(token).toString('base64')}`,
      isOurs: isOurConsoleToken(this.#vault, token),
    }
    const session = await this.#lookup.find(credential, anonymous, () =>
      useConsoleSession(this.#db, token, this.#clock.now()),
    )
    return (
      session && { kind: 'operator', id: session.operatorId, role: session.role, operations: null, session }
    )
  }

  /** A database that does not answer is not the agent's fault: that is thrown, and not taken for a wrong token. */
  async #node(token: string, anonymous: AnonymousLimit): Promise<Actor | undefined> {
    const id = nodeIdOf(token)
    const publicKey =
      id && (await this.#nodes.find(String(id), anonymous, (known) => isSignedFor(known, token)))
    return publicKey ? { kind: 'node', id, publicKey } : undefined
  }
}
