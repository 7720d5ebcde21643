import { randomBytes } from 'node:crypto'
import { sha256, type Vault } from './vault.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Bytes from here up are thrown away, so that every character is equally likely. */
const unbiasedBelow = 256 - (256 % base62.length)

export const randomBase62 = (length: number): string => {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < unbiasedBelow && text.length < length) text += base62[byte % base62.length]
    }
  }
  return text
}

/**
 * The last characters of whatever people look things up by are a mark that only we can make, so that what is made up is
 * told from what was ours without a look into the database. It proves nothing else: the look-up still decides.
 */
const marked = (vault: Vault, kind: string, random: string, length: number): string => {
  const bytes = vault.hash('marks', kind, random).subarray(0, length)
  return random + Array.from(bytes, (byte) => base62[byte % base62.length]).join('')
}

const isMarked = (vault: Vault, kind: string, text: string, length: number): boolean =>
  marked(vault, kind, text.slice(0, -length), length) === text

export interface NewToken {
  readonly token: string
  /** Public part, the look-up key. */
  readonly prefix: string
  readonly secretHash: Buffer
}

export type TokenKind = 'slp' | 'slo'

const prefixLength = 8
const prefixMarkLength = 3
const secretLength = 24

const tokenOf = (kind: TokenKind, prefix: string): NewToken => {
  const secret = randomBase62(secretLength)
  return { token: `${kind}_${prefix}_${secret}`, prefix, secretHash: sha256(secret) }
}

/** `slp_<8>_<24>`, the API key of a customer. */
export const newApiKey = (vault: Vault): NewToken =>
  tokenOf('slp', marked(vault, 'slp', randomBase62(prefixLength - prefixMarkLength), prefixMarkLength))

/** `slo_<8>_<24>`, for an operator. */
export const newOperatorToken = (): NewToken => tokenOf('slo', randomBase62(prefixLength))

/** False for keys that were issued before there were marks, too. */
export const isOurApiKey = (vault: Vault, prefix: string): boolean =>
  isMarked(vault, 'slp', prefix, prefixMarkLength)

const shape = /^(slp|slo)_([0-9A-Za-z]{8})_([0-9A-Za-z]{24})$/

export const parseToken = (text: string): { kind: TokenKind; prefix: string; secret: string } | undefined => {
  const match = shape.exec(text)
  if (!match) return undefined
  return { kind: match[1] as TokenKind, prefix: match[2] as string, secret: match[3] as string }
}

const cookieLength = 43
const cookieMarkLength = 5

const newCookieToken = (vault: Vault, kind: string): string =>
  marked(vault, kind, randomBase62(cookieLength - cookieMarkLength), cookieMarkLength)

/** What the browser of an operator who is signed in comes with. */
export const newConsoleToken = (vault: Vault): string => newCookieToken(vault, 'console')

export const isOurConsoleToken = (vault: Vault, token: string): boolean =>
  isMarked(vault, 'console', token, cookieMarkLength)

/** The same for a customer. */
export const newCabinetToken = (vault: Vault): string => newCookieToken(vault, 'cabinet')

export const isOurCabinetToken = (vault: Vault, token: string): boolean =>
  token.length === cookieLength && isMarked(vault, 'cabinet', token, cookieMarkLength)

const subscriptionMarkLength = 5

/** 160 random bits: what a subscription address is guarded by. */
export const newSubscriptionKey = (vault: Vault): string =>
  marked(vault, 'sub', randomBase62(32 - subscriptionMarkLength), subscriptionMarkLength)

export const isOurSubscriptionKey = (vault: Vault, key: string): boolean =>
  isMarked(vault, 'sub', key, subscriptionMarkLength)

const oneTimeLength = 27
const oneTimeMarkLength = 5

/** 130 random bits: what a one-time link has behind its #. */
export const newOneTimeKey = (vault: Vault): string =>
  marked(vault, 'once', randomBase62(oneTimeLength - oneTimeMarkLength), oneTimeMarkLength)

export const isOurOneTimeKey = (vault: Vault, key: string): boolean =>
  key.length === oneTimeLength && isMarked(vault, 'once', key, oneTimeMarkLength)

/** Short enough to read aloud; unique by the index, not by length. */
export const newReferralCode = (): string => randomBase62(8).toUpperCase()
