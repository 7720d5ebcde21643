import { isDeepStrictEqual } from 'node:util'
import type { DesiredState } from '@sallyport/contract/agent/agent'
import type { NotCarried, Report } from '@sallyport/contract/agent/report'
import { messageOf } from './common/backoff.ts'
import { hashOf, mergeAnswer, type NodeState, type Served } from './common/reconcile.ts'
import type { Trouble } from './engines/common/engine.ts'
import { type KeptState, nothingKept, readState, writeState } from './state.ts'

const longestMessage = 500
const mostRefused = 100

export interface ApplyTarget {
  apply(state: Served): Promise<Trouble[]>
}

/** Accesses that an engine would not take. */
export const refusedOf = (troubles: readonly Trouble[]): Report['refused'] =>
  troubles
    .flatMap(({ id, revision, reason }) =>
      id === null || revision === null ? [] : { id, revision, reason: reason.slice(0, longestMessage) },
    )
    .slice(0, mostRefused)

const mostNamed = 5000
const mostInbounds = 500

const idsOf = (troubles: readonly Trouble[]): string[] => [
  ...new Set(troubles.flatMap(({ id }) => id ?? []).slice(0, mostNamed)),
]

/** What is not served now, in as many words as fit: those who share an inbound are not named one by one. */
export const notCarriedOf = (troubles: readonly Trouble[]): NotCarried => {
  const closed = new Map(troubles.flatMap(({ inbound, reason }) => (inbound ? [[inbound, reason]] : [])))
  const unfit = new Set(idsOf(troubles.filter(({ isUnfit }) => isUnfit)))
  return {
    inbounds: [...closed]
      .slice(0, mostInbounds)
      .map(([tag, reason]) => ({ tag, reason: reason.slice(0, longestMessage) })),
    accesses: idsOf(troubles.filter(({ isUnfit }) => !isUnfit)).filter((id) => !unfit.has(id)),
    unfit: [...unfit],
  }
}

/**
 * Carries answers of the service to disk and to the engines. What is on disk always has the hash that the
 * service promised; what the engines could not take of it is reported and tried again. A state that cannot be
 * written is served all the same, from memory.
 */
export class Applier {
  readonly #directory: string
  readonly #engines: ApplyTarget
  #kept: KeptState
  #needsSnapshot: boolean
  #error: string | null = null
  #refused: Report['refused'] = []
  #queue: Promise<unknown> = Promise.resolve()

  private constructor(directory: string, engines: ApplyTarget, kept: KeptState | null) {
    this.#directory = directory
    this.#engines = engines
    this.#kept = kept ?? nothingKept
    this.#needsSnapshot = kept === null
  }

  static async open(directory: string, engines: ApplyTarget): Promise<Applier> {
    return new Applier(directory, engines, await readState(directory))
  }

  /** The revision to ask from; 0 asks for a snapshot. */
  get since(): number {
    return this.#needsSnapshot ? 0 : this.#kept.desired.revision
  }

  get applied(): KeptState['applied'] {
    return this.#kept.applied
  }

  get error(): string | null {
    return this.#error
  }

  get refused(): Report['refused'] {
    return this.#refused
  }

  askForSnapshot(): void {
    this.#needsSnapshot = true
  }

  /** True when the answer was sound; otherwise nothing is changed and a snapshot is asked for next. */
  take(answer: DesiredState): Promise<boolean> {
    return this.#exclusively(() => this.#take(answer))
  }

  /** Applies the newest state once more: at the start, when an engine appears, and after a failure. */
  again(): Promise<void> {
    return this.#exclusively(() => this.#carryOut(this.#kept.desired))
  }

  /** With the names of those who wanted it so: by them a purchase is followed to here. */
  logApplied({ kind, revision, caused_by: causes = [] }: DesiredState, log: (line: string) => void): void {
    if (kind === 'unchanged' || this.applied.revision !== revision) return
    log(`applied revision ${revision}${causes.length === 0 ? '' : ` caused by ${causes.join(', ')}`}`)
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => {})
    return result
  }

  async #take(answer: DesiredState): Promise<boolean> {
    const desired = mergeAnswer(this.#kept.desired, answer)
    if (hashOf(desired) !== answer.hash) {
      this.#needsSnapshot = true
      if (answer.kind === 'snapshot') this.#fail('the snapshot does not have the hash that came with it')
      return false
    }
    const isNews =
      this.#needsSnapshot ||
      answer.kind !== 'unchanged' ||
      desired.revision !== this.since ||
      !isDeepStrictEqual(desired.ownTargets, this.#kept.desired.ownTargets)
    this.#needsSnapshot = false
    if (isNews) await this.#carryOut(desired)
    return true
  }

  async #carryOut(desired: NodeState): Promise<void> {
    try {
      let writeProblem = await this.#keep({ ...this.#kept, desired })
      const troubles = await this.#engines.apply(desired)
      // A report may be made at any await: what it says was applied, refused and why must be of one state.
      this.#refused = refusedOf(troubles)
      this.#tell(troubles)
      // Accesses that were refused are reported one by one, and must not hold up everybody else's.
      if (troubles.every(({ id }) => id !== null)) {
        const applied = { revision: desired.revision, hash: hashOf(desired) }
        writeProblem = await this.#keep({ desired, applied })
      }
      if (writeProblem !== null) this.#tell([{ reason: writeProblem }, ...troubles])
    } catch (error) {
      this.#fail(messageOf(error))
    }
  }

  #tell(troubles: readonly Pick<Trouble, 'reason'>[]): void {
    if (troubles.length > 0) this.#fail(troubles.map(({ reason }) => reason).join('; '))
    else this.#error = null
  }

  /** Returns why it is not on disk; a full disk must not keep removed customers connected. */
  async #keep(kept: KeptState): Promise<string | null> {
    this.#kept = kept
    return writeState(this.#directory, kept).then(
      () => null,
      (error) => `the state cannot be written to disk: ${messageOf(error)}`,
    )
  }

  #fail(reason: string): void {
    this.#error = reason.slice(0, longestMessage)
  }
}
