import { hash } from 'node:crypto'

const blockBytes = 64

export type KeyedHash = (...parts: readonly Uint8Array[]) => Buffer

/**
 * HMAC-SHA-256 (RFC 2104), by the hash that takes everything at once: collecting the objects that node:crypto makes for each
 * HMAC costs more than the HMAC itself, where every request needs one.
 */
export const keyedHash = (key: Buffer): KeyedHash => {
  if (key.length > blockBytes) throw new Error(`A key has at most ${blockBytes} bytes`)
  const [inner, outer] = [0x36, 0x5c].map((pad) => {
    const block = Buffer.alloc(blockBytes, pad)
    for (const [at, byte] of key.entries()) block[at] = byte ^ pad
    return block
  }) as [Buffer, Buffer]
  const sha256 = (parts: readonly Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer')
  return (...parts) => sha256([outer, sha256([inner, ...parts])])
}
