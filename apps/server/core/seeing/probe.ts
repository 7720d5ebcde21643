import { sameBytes, type Vault } from '../kernel/vault.ts'

/** By what whoever has the secret key asks an instance what it sees of a request; nobody else is answered. */

export const probePath = '/probe'
export const probeHeader = 'x-sallyport-probe'

/** Long enough for clocks that differ a little. */
const validSeconds = 300

const proofOf = (vault: Vault, at: string): Buffer => vault.hash('probe', at)

export const signProbe = (vault: Vault, now: number): string =>
  `${now}.${proofOf(vault, String(now)).toString('hex')}`

export const isProbe = (vault: Vault, header: unknown, now: number): boolean => {
  const [, at, proof] = /^(\d{1,12})\.([0-9a-f]{64})$/.exec(typeof header === 'string' ? header : '') ?? []
  if (at === undefined || proof === undefined || Math.abs(now - Number(at)) > validSeconds) return false
  return sameBytes(Buffer.from(proof, 'hex'), proofOf(vault, at))
}

/** What an instance saw of a request. */
export interface Seen {
  /** Whom limits count the request to. */
  readonly address: string
  /** Who opened the connection. */
  readonly peer: string
  readonly forwarded_for: string | null
  readonly forwarded_proto: string | null
  readonly request_id: string | null
  readonly host: string | null
  readonly body_bytes: number
}
