import { join } from 'node:path'
import type { Access } from '@sallyport/contract/agent/agent'
import type { JWK } from 'jose'
import { readJson, removeFile, writeFileAtomically } from './common/files.ts'
import { emptyState, hashOf, type NodeState } from './common/reconcile.ts'

export interface Identity {
  readonly nodeId: number
  /** Ed25519, with its private part. */
  readonly privateKey: JWK
}

export interface KeptState {
  readonly desired: NodeState
  /** The newest revision that the engines took completely, and the hash of that state. */
  readonly applied: { readonly revision: number; readonly hash: string }
}

export const nothingKept: KeptState = {
  desired: emptyState,
  applied: { revision: 0, hash: hashOf(emptyState) },
}

interface StateFile extends KeptState {
  readonly hash: string
}

const identityFile = (directory: string): string => join(directory, 'identity.json')
const stateFile = (directory: string): string => join(directory, 'state.json')

const isIdentity = (value: unknown): value is Identity => {
  const { nodeId, privateKey } = (value ?? {}) as Partial<Identity>
  return Number.isSafeInteger(nodeId) && typeof privateKey?.d === 'string' && typeof privateKey.x === 'string'
}

/** Null when the node is not enrolled yet. A broken file throws: enrolling anew needs the operator. */
export const readIdentity = async (directory: string): Promise<Identity | null> => {
  const path = identityFile(directory)
  const value = await readJson(path).catch(() => undefined)
  if (value === null || isIdentity(value)) return value
  throw new Error(`${path} is damaged; remove it and enrol this node again`)
}

export const writeIdentity = (directory: string, identity: Identity): Promise<void> =>
  writeFileAtomically(identityFile(directory), JSON.stringify(identity))

const enrolmentFile = (directory: string): string => join(directory, 'enrolment.json')

/** The key of an enrolment under way, so that a lost answer can be asked for again with the same key. */
export const readEnrolmentKey = async (directory: string): Promise<JWK | null> => {
  const value = (await readJson(enrolmentFile(directory)).catch(() => null)) as JWK | null
  return typeof value?.d === 'string' && typeof value.x === 'string' ? value : null
}

export const writeEnrolmentKey = (directory: string, key: JWK): Promise<void> =>
  writeFileAtomically(enrolmentFile(directory), JSON.stringify(key))

export const removeEnrolmentKey = (directory: string): Promise<void> => removeFile(enrolmentFile(directory))

const kinds: readonly unknown[] = [
  'shared',
  'instance',
  'amnezia-wg',
  'proxy',
  'mtproto',
] satisfies Access['kind'][]

/** Agents before the kinds wrote accesses without one, which no engine would know what to do with. */
const isAccess = (value: unknown): value is Access => kinds.includes((value as Partial<Access> | null)?.kind)

const isSound = (value: unknown): value is StateFile => {
  const { desired, applied, hash } = (value ?? {}) as Partial<StateFile>
  if (!desired || !applied || !Array.isArray(desired.inbounds)) return false
  if (!Array.isArray(desired.accesses) || !desired.accesses.every(isAccess)) return false
  if (!Number.isSafeInteger(desired.revision) || !Number.isSafeInteger(applied.revision)) return false
  return typeof applied.hash === 'string' && hash === hashOf(desired)
}

/** What this node served last; null when the file is damaged, so that a snapshot is asked for. */
export const readState = async (directory: string): Promise<KeptState | null> => {
  const value = await readJson(stateFile(directory)).catch(() => undefined)
  if (value === null) return nothingKept
  return isSound(value) ? { desired: value.desired, applied: value.applied } : null
}

export const writeState = (directory: string, { desired, applied }: KeptState): Promise<void> => {
  const content: StateFile = { desired, applied, hash: hashOf(desired) }
  return writeFileAtomically(stateFile(directory), JSON.stringify(content))
}
