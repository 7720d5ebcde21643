import {
  type Cipheriv,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Everything that needs the key kept outside the database: sealing, and deriving VPN credentials. */

const ivBytes = 12
const tagBytes = 16
const blockBytes = 16
/** Shared secrets that are kept opened in memory. */
const mostOpened = 5000
const gcm = { authTagLength: tagBytes }

export class Vault {
  /** A KeyObject, because importing the bytes at every use costs more than the decryption. */
  readonly #sealKey: KeyObject
  readonly #derivers = new Map<string, Cipheriv>()
  readonly #masterKey: Buffer
  readonly #hashKeys = new Map<string, KeyObject>()
  readonly #opened = new LRUCache<string, string>({ max: mostOpened })

  constructor(masterKey: Buffer) {
    this.#masterKey = masterKey
    this.#sealKey = createSecretKey(this.subkey('seal'))
  }

  /** What only we can make of these parts; nobody can try out what they were. */
  hash(purpose: string, ...parts: readonly string[]): Buffer {
    let key = this.#hashKeys.get(purpose)
    if (!key) {
      key = createSecretKey(this.subkey(purpose))
      this.#hashKeys.set(purpose, key)
    }
    return createHmac('sha256', key).update(parts.join('\0')).digest()
  }

  subkey(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#masterKey, Buffer.alloc(0), `sallyport/${purpose}`, 32))
  }

  /** AES-256-GCM; the context is bound in, so that a sealed value cannot be moved to another field. */
  seal(plain: string, context: string): Buffer {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, iv).setAAD(Buffer.from(context))
    return Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  }

  open(sealed: Uint8Array, context: string): string {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    const decipher = createDecipheriv('aes-256-gcm', this.#sealKey, bytes.subarray(0, ivBytes), gcm)
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
    return decipher.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
  }

  /** Sealed in Base64, for what many ask for, such as what all on a server share: it is opened once. */
  openShared(sealed: string, context: string): string {
    const name = `${context} ${sealed}`
    let plain = this.#opened.get(name)
    if (plain === undefined) {
      plain = this.open(Buffer.from(sealed, 'base64'), context)
      this.#opened.set(name, plain)
    }
    return plain
  }

  /**
   * 16 bytes, in hex, for each nonce and this purpose: one block of AES-256 under a key of the purpose, a sound
   * pseudo-random function for nonces of one block. All at once, because a call costs more than its blocks.
   */
  derive(nonces: readonly Uint8Array[], purpose: string): string[] {
    let cipher = this.#derivers.get(purpose)
    if (!cipher) {
      cipher = createCipheriv('aes-256-ecb', this.subkey(`credentials/${purpose}`), null).setAutoPadding(
        false,
      )
      this.#derivers.set(purpose, cipher)
    }
    if (nonces.some((nonce) => nonce.length !== blockBytes))
      throw new Error(`A nonce has ${blockBytes} bytes`)
    const blocks = cipher.update(Buffer.concat(nonces), undefined, 'hex')
    return nonces.map((_, at) => blocks.slice(at * 2 * blockBytes, (at + 1) * 2 * blockBytes))
  }
}

export const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer')

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)
