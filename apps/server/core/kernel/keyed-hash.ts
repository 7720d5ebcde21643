import { createHmac, createSecretKey } from 'node:crypto'

export type KeyedHash = (...parts: readonly Uint8Array[]) => Buffer

/** HMAC-SHA-256 of the parts as one message. A KeyObject, because importing the bytes at every use costs four times the hash. */
export const keyedHash = (key: Buffer): KeyedHash => {
  const secret = createSecretKey(key)
  return (...parts) => {
    const hmac = createHmac('sha256', secret)
    for (const part of parts) hmac.update(part)
    return hmac.digest()
  }
}
