import { createHmac, randomBytes } from 'node:crypto'
import type { Vault } from '../kernel/vault.ts'

/** Signatures of Standard Webhooks, version 1. */

const prefix = 'whsec_'
const secretBytes = 32
const sealContext = 'webhooks.secret'

export const newSecret = (): string => prefix + randomBytes(secretBytes).toString('base64')

export const sealSecret = (vault: Vault, secret: string): Buffer => vault.seal(secret, sealContext)

export const openSecret = (vault: Vault, sealed: Uint8Array): string => vault.open(sealed, sealContext)

export interface SignedEvent {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly data: unknown
  /** When it happened. */
  readonly createdAt: number
}

/** The id and the body are the same at every try, the time is that of the try. */
export const signedPost = (secret: string, event: SignedEvent, now: number) => {
  const { id, type, subject, data, createdAt } = event
  const timestamp = new Date(createdAt * 1000).toISOString()
  const body = JSON.stringify({ type, timestamp, subject, data })
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${now}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Sallyport-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(now),
    'webhook-signature': `v1,${signature}`,
  }
  return { headers, body }
}
