import type { Problem } from '@sallyport/contract/errors'
import type { Auth, Role } from '@sallyport/contract/operation'
import type { ConsoleSession } from '../core/operators/sessions.ts'

/** Who asks, however they came and whatever showed it. */
export type Actor =
  | {
      readonly kind: 'customer'
      readonly id: number
      /** Undefined for an API key. */
      readonly sessionId: string | undefined
      readonly isBlocked: boolean
    }
  | {
      readonly kind: 'operator'
      readonly id: number
      readonly role: Role
      /** The only ones that this token may call; null is all that the role may. */
      readonly operations: readonly string[] | null
      /** Who made the token; null or left out where that is not known, and for people who are signed in. */
      readonly tokenMadeBy?: number | null
      /** Of a person who is signed in; programs come with a token and have none. */
      readonly session?: ConsoleSession | undefined
    }
  | { readonly kind: 'node'; readonly id: number; readonly publicKey: string }

export const notAnApiKey: Problem = {
  path: 'Authorization',
  problem: 'needs a session token, not an API key',
}

/** Whoever signs in may be somebody already. A blocked customer is nobody there. */
export const visitorOf = (actor: Actor | undefined): Actor | undefined =>
  actor?.kind === 'customer' && !actor.isBlocked ? actor : undefined

const kinds: Readonly<Partial<Record<Auth, Actor['kind']>>> = {
  customer: 'customer',
  session: 'customer',
  operator: 'operator',
  agent: 'node',
}

export const isKindFor = (auth: Auth, actor: Actor): boolean => kinds[auth] === actor.kind

export const actorFields = (actor: Actor | undefined) => ({
  userId: actor?.kind === 'customer' ? actor.id : undefined,
  sessionId: actor?.kind === 'customer' ? actor.sessionId : undefined,
  operatorId: actor?.kind === 'operator' ? actor.id : undefined,
  operatorRole: actor?.kind === 'operator' ? actor.role : undefined,
  operatorOperations: actor?.kind === 'operator' ? actor.operations : undefined,
  operatorTokenMadeBy: actor?.kind === 'operator' ? (actor.tokenMadeBy ?? null) : undefined,
  operatorSession: actor?.kind === 'operator' ? actor.session : undefined,
  nodeId: actor?.kind === 'node' ? actor.id : undefined,
  nodeKey: actor?.kind === 'node' ? actor.publicKey : undefined,
})
