import { createCipheriv, createHash, randomBytes } from 'node:crypto'

/** Telegram's transport obfuscation: a frame of 64 bytes carries the keys of both directions. */

export const frameBytes = 64
const keyAt = 8
const ivAt = 40
const kindAt = 56
const dataCentreAt = 60
const padded = Buffer.from('dddddddd', 'hex')

type Cipher = (data: Buffer) => Buffer

const cipher = (frame: Buffer, secret: Buffer | null): Cipher => {
  const key = frame.subarray(keyAt, ivAt)
  const actual = secret ? createHash('sha256').update(key).update(secret).digest() : key
  const stream = createCipheriv('aes-256-ctr', actual, frame.subarray(ivAt, kindAt))
  return (data) => stream.update(data)
}

const turned = (frame: Buffer): Buffer => {
  const copy = Buffer.from(frame)
  copy.subarray(keyAt, kindAt).reverse()
  return copy
}

export interface Obfuscated {
  readonly encrypt: Cipher
  readonly decrypt: Cipher
}

/** The caller's side: the frame to send, and the ciphers for what follows. */
export const call = (dataCentre: number, secret: Buffer | null): Obfuscated & { readonly frame: Buffer } => {
  const frame = randomBytes(frameBytes)
  padded.copy(frame, kindAt)
  frame.writeInt16LE(dataCentre, dataCentreAt)
  const [encrypt, decrypt] = [cipher(frame, secret), cipher(turned(frame), secret)]
  encrypt(frame).copy(frame, kindAt, kindAt)
  return { frame, encrypt, decrypt }
}

/** The called side; a data centre knows no secret. */
export const accept = (frame: Buffer): Obfuscated => {
  const [decrypt, encrypt] = [cipher(frame, null), cipher(turned(frame), null)]
  const kind = decrypt(frame).subarray(kindAt, dataCentreAt)
  if (!kind.equals(padded)) throw new Error(`A stranger calls: ${kind.toString('hex')}`)
  return { encrypt, decrypt }
}
