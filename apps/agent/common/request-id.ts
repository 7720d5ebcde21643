import { randomBytes } from 'node:crypto'

/** By which a call is found in the service's log and database: `agent-` and what no other agent or start has. */

const ours = randomBytes(4).toString('hex')
let made = 0

export const requestIdHeader = 'x-request-id'

export const newRequestId = (): string => `agent-${ours}-${(made++).toString(36)}`

const ids = new WeakMap<object, string>()

/** Of the call that failed so. */
export const noteRequestId = (error: unknown, id: string): void => {
  if (typeof error === 'object' && error !== null) ids.set(error, id)
}

export const requestIdOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null ? ids.get(error) : undefined
