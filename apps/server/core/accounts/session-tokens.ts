import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../ports/clock.ts'
import type { Vault } from '../kernel/vault.ts'

const issuer = 'sallyport'
const sessionAudience = 'sallyport'
export const sessionTtlSeconds = 15 * 60

const ed25519FromSeed = (seed: Buffer): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  })

/** What sessions are signed with, on every instance the same. */
export const sessionKeyOf = (vault: Vault): KeyObject => ed25519FromSeed(vault.subkey('session-tokens'))

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What else somebody sends names no session. */
export const isSessionId = (text: string): boolean => uuidShape.test(text)

export interface SessionClaims {
  readonly sessionId: string
  readonly userId: number
  readonly expiresAt: number
}

const readClaims = ({ sid, sub, exp }: JWTPayload): SessionClaims | undefined => {
  if (typeof sid !== 'string' || !isSessionId(sid) || exp === undefined) return undefined
  return { sessionId: sid, userId: Number(sub), expiresAt: exp }
}

export class SessionTokens {
  readonly #privateKey: KeyObject
  readonly #publicKey: KeyObject
  readonly #clock: Clock

  constructor(vault: Vault, clock: Clock) {
    this.#privateKey = sessionKeyOf(vault)
    this.#publicKey = createPublicKey(this.#privateKey)
    this.#clock = clock
  }

  async issue(sessionId: string, userId: number): Promise<{ token: string; expiresAt: number }> {
    const now = this.#clock.now()
    const expiresAt = now + sessionTtlSeconds
    const token = await new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(sessionAudience)
      .setSubject(String(userId))
      .setIssuedAt(now)
      .setExpirationTime(expiresAt)
      .sign(this.#privateKey)
    return { token, expiresAt }
  }

  async verify(token: string): Promise<SessionClaims | undefined> {
    try {
      const { payload } = await jwtVerify(token, this.#publicKey, {
        algorithms: ['EdDSA'],
        typ: 'JWT',
        issuer,
        audience: sessionAudience,
        currentDate: new Date(this.#clock.now() * 1000),
        requiredClaims: ['sid', 'sub', 'exp', 'iat'],
      })
      return readClaims(payload)
    } catch {
      return undefined
    }
  }
}
