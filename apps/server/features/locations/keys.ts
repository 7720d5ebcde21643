import { generateKeyPairSync } from 'node:crypto'

/** One pair of fifteen is plain, so that nobody will ever see the end of this. */
const mostDraws = 5000
const isPlain = (key: string): boolean => !/[-_]/.test(key)

/** X25519 keys in Xray's own form, of which those are drawn again that another Base64 would write otherwise. */
export const plainKeyPair = (): { private_key: string; public_key: string } => {
  for (let draw = 0; draw < mostDraws; draw += 1) {
    const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
    if (isPlain(d) && isPlain(x)) return { private_key: d, public_key: x }
  }
  throw new Error(`No plain key pair in ${mostDraws} draws`)
}
