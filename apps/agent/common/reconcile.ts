import { isDeepStrictEqual } from 'node:util'
import type { Access, DesiredState, Inbound } from '@sallyport/contract/agent/agent'
import { stateHash } from '@sallyport/domain/vpn/engine/state-hash'
import {
  isProxy,
  isShared,
  type ProxyAccess,
  type SharedAccess,
  type XrayAccess,
  type XrayInbound,
  type XrayServed,
} from '@sallyport/domain/vpn/engine/xray-accounts'

/** What a node is to serve, complete. */
export interface NodeState {
  readonly revision: number
  readonly inbounds: readonly Inbound[]
  readonly accesses: readonly Access[]
  /** Sites that the service itself borrows here; undefined when it did not say. */
  readonly ownTargets?: readonly string[] | undefined
}

export const emptyState: NodeState = { revision: 0, inbounds: [], accesses: [] }

export const hashOf = (state: NodeState): string => stateHash(state.accesses)

/** The node's state after an answer; which may turn out not to have the hash that the answer promises. */
export const mergeAnswer = (current: NodeState, answer: DesiredState): NodeState => {
  const { kind, revision, inbounds, own_targets: ownTargets } = answer
  if (kind === 'unchanged') return { ...current, revision, ownTargets }
  if (kind === 'snapshot') return { revision, inbounds, accesses: answer.accesses, ownTargets }
  const accesses = new Map(current.accesses.map((access) => [access.id, access]))
  for (const id of answer.removed) accesses.delete(id)
  for (const access of answer.accesses) accesses.set(access.id, access)
  return { revision, inbounds, accesses: [...accesses.values()], ownTargets }
}

export type Served = Omit<NodeState, 'revision'>

/** Every port at which this state has something listen. */
export const portsOf = ({ inbounds, accesses }: Pick<Served, 'inbounds' | 'accesses'>): Set<number> =>
  new Set([...inbounds, ...accesses].flatMap((entry) => ('port' in entry ? [entry.port] : [])))

/** What the shared Xray has to do, in this order, to come from one state to another without a restart. */
export interface Changes {
  /** Users to take from inbounds that stay, changed ones included. */
  readonly usersToRemove: SharedAccess[]
  /** Inbounds to close, changed ones included. */
  readonly inboundsToRemove: XrayInbound[]
  readonly proxiesToRemove: ProxyAccess[]
  /** Bridges to take down, changed ones included. */
  readonly exitsToRemove: SharedAccess[]
  /** Accesses whose open connections must end: gone, or with other credentials. */
  readonly accessesToCut: XrayAccess[]
  /** Accesses that go another way from now on, with the same credentials. */
  readonly accessesToReroute: SharedAccess[]
  readonly exitsToAdd: SharedAccess[]
  /** Inbounds to open, each with all of its users. */
  readonly inboundsToAdd: XrayInbound[]
  readonly proxiesToAdd: ProxyAccess[]
  /** Users to put on inbounds that stay. */
  readonly usersToAdd: SharedAccess[]
}

/** Everything but the revision and where the traffic goes on to. */
const sameCredentials = (left: XrayAccess, right: XrayAccess | undefined): boolean => {
  if (right === undefined) return false
  const plain = (access: XrayAccess) => ({ ...access, revision: 0, exit: undefined })
  return isDeepStrictEqual(plain(left), plain(right))
}

const exitOf = (access: XrayAccess | undefined) => (access && isShared(access) ? access.exit : undefined)
const hasExit = (access: SharedAccess): boolean => access.exit !== undefined

export const diff = (from: XrayServed, to: XrayServed): Changes => {
  const oldInbounds = new Map(from.inbounds.map((inbound) => [inbound.tag, inbound]))
  const newInbounds = new Map(to.inbounds.map((inbound) => [inbound.tag, inbound]))
  const stays = (tag: string) => isDeepStrictEqual(oldInbounds.get(tag), newInbounds.get(tag))
  const oldAccesses = new Map(from.accesses.map((access) => [access.id, access]))
  const newAccesses = new Map(to.accesses.map((access) => [access.id, access]))
  const isSame = (access: XrayAccess, other: XrayAccess | undefined) =>
    sameCredentials(access, other) && isDeepStrictEqual(exitOf(access), exitOf(other))
  const gone = from.accesses.filter((access) => !isSame(access, newAccesses.get(access.id)))
  const fresh = to.accesses.filter((access) => !isSame(access, oldAccesses.get(access.id)))
  const isRerouted = (access: XrayAccess) => sameCredentials(access, newAccesses.get(access.id))
  return {
    usersToRemove: gone.filter(isShared).filter((access) => stays(access.inbound)),
    inboundsToRemove: from.inbounds.filter(({ tag }) => !stays(tag)),
    proxiesToRemove: gone.filter(isProxy),
    exitsToRemove: gone.filter(isShared).filter(hasExit),
    accessesToCut: gone.filter((access) => !isRerouted(access)),
    accessesToReroute: gone.filter(isShared).filter(isRerouted),
    exitsToAdd: fresh.filter(isShared).filter(hasExit),
    inboundsToAdd: to.inbounds.filter(({ tag }) => !stays(tag)),
    proxiesToAdd: fresh.filter(isProxy),
    usersToAdd: fresh.filter(isShared).filter((access) => stays(access.inbound)),
  }
}
