import { isDeepStrictEqual } from 'node:util'
import type { Access, DesiredState, Inbound } from '@sallyport/contract/agent'
import { stateHash } from '@sallyport/domain/engine/state-hash'

/** What a node is to serve, complete. */
export interface NodeState {
  readonly revision: number
  readonly inbounds: readonly Inbound[]
  readonly accesses: readonly Access[]
}

export const emptyState: NodeState = { revision: 0, inbounds: [], accesses: [] }

export const hashOf = (state: NodeState): string => stateHash(state.accesses)

/** The node's state after an answer; which may turn out not to have the hash that the answer promises. */
export const mergeAnswer = (current: NodeState, answer: DesiredState): NodeState => {
  const { kind, revision, inbounds } = answer
  if (kind === 'unchanged') return { ...current, revision }
  if (kind === 'snapshot') return { revision, inbounds, accesses: answer.accesses }
  const accesses = new Map(current.accesses.map((access) => [access.id, access]))
  for (const id of answer.removed) accesses.delete(id)
  for (const access of answer.accesses) accesses.set(access.id, access)
  return { revision, inbounds, accesses: [...accesses.values()] }
}

export interface Served {
  readonly inbounds: readonly Inbound[]
  readonly accesses: readonly Access[]
}

/** What an engine has to do, in this order, to come from one state to another without a restart. */
export interface Changes {
  /** Users to take from inbounds that stay, changed ones included. */
  readonly usersToRemove: Access[]
  /** Inbounds to close, changed ones included. */
  readonly inboundsToRemove: Inbound[]
  /** Accesses whose open connections must end: gone, or with other credentials. */
  readonly accessesToCut: Access[]
  /** Inbounds to open, each with all of its users. */
  readonly inboundsToAdd: Inbound[]
  /** Users to put on inbounds that stay. */
  readonly usersToAdd: Access[]
}

const sameAccess = (left: Access, right: Access | undefined): boolean =>
  right !== undefined && left.inbound === right.inbound && isDeepStrictEqual(left.account, right.account)

export const diff = (from: Served, to: Served): Changes => {
  const oldInbounds = new Map(from.inbounds.map((inbound) => [inbound.tag, inbound]))
  const newInbounds = new Map(to.inbounds.map((inbound) => [inbound.tag, inbound]))
  const stays = (tag: string) => isDeepStrictEqual(oldInbounds.get(tag), newInbounds.get(tag))
  const oldAccesses = new Map(from.accesses.map((access) => [access.id, access]))
  const newAccesses = new Map(to.accesses.map((access) => [access.id, access]))
  const gone = from.accesses.filter((access) => !sameAccess(access, newAccesses.get(access.id)))
  const fresh = to.accesses.filter((access) => !sameAccess(access, oldAccesses.get(access.id)))
  return {
    usersToRemove: gone.filter((access) => stays(access.inbound)),
    inboundsToRemove: from.inbounds.filter(({ tag }) => !stays(tag)),
    accessesToCut: gone,
    inboundsToAdd: to.inbounds.filter(({ tag }) => !stays(tag)),
    usersToAdd: fresh.filter((access) => stays(access.inbound)),
  }
}
