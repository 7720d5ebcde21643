import { randomBytes } from 'node:crypto'
import { sha256 } from './vault.ts'

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

export interface NewToken {
  readonly token: string
  /** Public part, the look-up key. */
  readonly prefix: string
  readonly secretHash: Buffer
}

export type TokenKind = 'slp' | 'slo'

const prefixLength = 8
const secretLength = 24

/** `slp_<8>_<24>` for customers' API keys, `slo_<8>_<24>` for operators. */
export const newToken = (kind: TokenKind): NewToken => {
  const prefix = randomBase62(prefixLength)
  const secret = randomBase62(secretLength)
  return { token: `${kind}_${prefix}_${secret}`, prefix, secretHash: sha256(secret) }
}

const shape = /^(slp|slo)_([0-9A-Za-z]{8})_([0-9A-Za-z]{24})$/

export const parseToken = (text: string): { kind: TokenKind; prefix: string; secret: string } | undefined => {
  const match = shape.exec(text)
  if (!match) return undefined
  return { kind: match[1] as TokenKind, prefix: match[2] as string, secret: match[3] as string }
}

/** 190 bits: what a subscription address is guarded by. */
export const newSubscriptionKey = (): string => randomBase62(32)

/** Short enough to read aloud; unique by the index, not by length. */
export const newReferralCode = (): string => randomBase62(8).toUpperCase()
