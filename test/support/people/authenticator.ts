import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '@sallyport/contract/customer/auth-shapes'

/** A browser with an authenticator, in software: it does what it is told, also what a real one would refuse. */

export type Cbor = number | string | Uint8Array | readonly Cbor[] | ReadonlyMap<number | string, Cbor>

const head = (major: number, value: number): Buffer => {
  const type = major << 5
  if (value < 24) return Buffer.from([type | value])
  if (value < 256) return Buffer.from([type | 24, value])
  return Buffer.from([type | 25, value >> 8, value & 255])
}

const cbor = (value: Cbor): Buffer => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  const entries = [...(value as ReadonlyMap<number | string, Cbor>)].flat() as Cbor[]
  return Buffer.concat([head(5, entries.length / 2), ...entries.map(cbor)])
}

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256' | 'ES384'

const makeKey = (algorithm: Algorithm): KeyObject => {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519').privateKey
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const namedCurve = algorithm === 'ES256' ? 'P-256' : 'P-384'
  return generateKeyPairSync('ec', { namedCurve }).privateKey
}

const coseKey = (algorithm: Algorithm, key: KeyObject): Buffer => {
  const jwk = key.export({ format: 'jwk' })
  const part = (name: 'x' | 'y' | 'n' | 'e') => Buffer.from(jwk[name] as string, 'base64url')
  const fields: Record<Algorithm, () => [number, Cbor][]> = {
    ES256: () => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, part('x')],
      [-3, part('y')],
    ],
    ES384: () => [
      [1, 2],
      [3, -35],
      [-1, 2],
      [-2, part('x')],
      [-3, part('y')],
    ],
    EdDSA: () => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, part('x')],
    ],
    RS256: () => [
      [1, 3],
      [3, -257],
      [-1, part('n')],
      [-2, part('e')],
    ],
  }
  return cbor(new Map(fields[algorithm]()))
}

/** Where and how a ceremony happens; all but the origin may be left as it should be. */
export interface Circumstances {
  readonly origin: string
  readonly type?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly crossOrigin?: boolean
  readonly isPresent?: boolean
  readonly isVerified?: boolean
  /** How many signatures it says it has made. */
  readonly counter?: number
}

const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')

const clientData = (type: string, challenge: string, at: Circumstances): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: at.type ?? type,
      challenge: at.challenge ?? challenge,
      origin: at.origin,
      crossOrigin: at.crossOrigin ?? false,
    }),
  )

const authenticatorData = (rpId: string, attested: Uint8Array | undefined, at: Circumstances): Buffer => {
  const flags = (at.isPresent === false ? 0 : 1) | (at.isVerified === false ? 0 : 4) | (attested ? 64 : 0)
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(at.counter ?? 0)
  const rpIdHash = hash('sha256', at.rpId ?? rpId, 'buffer')
  return Buffer.concat([rpIdHash, Buffer.from([flags]), counter, attested ?? Buffer.alloc(0)])
}

export class SoftPasskey {
  readonly id: Buffer
  readonly #algorithm: Algorithm
  readonly #key: KeyObject
  #userHandle = ''

  constructor({ algorithm = 'ES256', idBytes = 32 }: { algorithm?: Algorithm; idBytes?: number } = {}) {
    this.id = randomBytes(idBytes)
    this.#algorithm = algorithm
    this.#key = makeKey(algorithm)
  }

  get #credential() {
    return { id: base64url(this.id), rawId: base64url(this.id), type: 'public-key' as const }
  }

  /** What `navigator.credentials.create` would give; a statement is one that nobody asked for. */
  create(
    { challenge, rp, user }: PasskeyCreation,
    at: Circumstances,
    { fmt, attStmt }: { fmt: string; attStmt: Map<string, Cbor> } = { fmt: 'none', attStmt: new Map() },
  ): PasskeyAttestation {
    this.#userHandle = user.id
    const length = Buffer.from([this.id.length >> 8, this.id.length & 255])
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, coseKey(this.#algorithm, this.#key)])
    const authData = authenticatorData(rp.id ?? '', attested, at)
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ]),
    )
    return {
      ...this.#credential,
      response: {
        clientDataJSON: base64url(clientData('webauthn.create', challenge, at)),
        attestationObject: base64url(attestationObject),
        transports: ['internal'],
      },
      clientExtensionResults: {},
    }
  }

  /** What `navigator.credentials.get` would give. */
  get({ challenge, rpId }: PasskeyRequest, at: Circumstances): PasskeyAssertion {
    const data = authenticatorData(rpId, undefined, at)
    const client = clientData('webauthn.get', challenge, at)
    const signed = Buffer.concat([data, hash('sha256', client, 'buffer')])
    const signature = sign(this.#algorithm === 'EdDSA' ? null : 'sha256', signed, this.#key)
    return {
      ...this.#credential,
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: this.#userHandle,
      },
      clientExtensionResults: {},
    }
  }
}
