import { createHash } from 'node:crypto'

export interface StateEntry {
  readonly id: string
  readonly revision: number
}

const hexDigits = 16

/**
 * Fingerprint of a node's state that does not depend on order. The service computes the same in SQL:
 * bit_xor(('x' || substr(md5(id || ':' || revision), 1, 16))::bit(64)).
 */
export const stateHash = (entries: Iterable<StateEntry>): string => {
  let folded = 0n
  for (const { id, revision } of entries) {
    const digest = createHash('md5').update(`${id}:${revision}`).digest('hex')
    folded ^= BigInt(`0x${digest.slice(0, hexDigits)}`)
  }
  return folded.toString(16).padStart(hexDigits, '0')
}
