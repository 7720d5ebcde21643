import type { DesiredState } from '@sallyport/contract/agent'
import { messageOf } from './backoff.ts'
import { hashOf, mergeAnswer, type NodeState, type Served } from './reconcile.ts'
import { type KeptState, nothingKept, readState, writeState } from './state.ts'

const longestMessage = 500

export interface ApplyTarget {
  apply(state: Served): Promise<void>
}

/**
 * Carries answers of the service to disk and to the engine. What is on disk always has the hash that the
 * service promised; what the engine could not take of it is reported and tried again.
 */
export class Applier {
  readonly #directory: string
  readonly #engine: ApplyTarget
  #kept: KeptState
  #needsSnapshot: boolean
  #error: string | null = null
  #queue: Promise<unknown> = Promise.resolve()

  private constructor(directory: string, engine: ApplyTarget, kept: KeptState | null) {
    this.#directory = directory
    this.#engine = engine
    this.#kept = kept ?? nothingKept
    this.#needsSnapshot = kept === null
  }

  static async open(directory: string, engine: ApplyTarget): Promise<Applier> {
    return new Applier(directory, engine, await readState(directory))
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

  askForSnapshot(): void {
    this.#needsSnapshot = true
  }

  /** True when the answer was sound; otherwise nothing is changed and a snapshot is asked for next. */
  take(answer: DesiredState): Promise<boolean> {
    return this.#exclusively(() => this.#take(answer))
  }

  /** Applies what is on disk: at the start, when an engine appears, and after a failure. */
  again(): Promise<void> {
    return this.#exclusively(() => this.#carryOut(this.#kept.desired))
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
    const isNews = this.#needsSnapshot || answer.kind !== 'unchanged' || desired.revision !== this.since
    this.#needsSnapshot = false
    if (isNews) await this.#carryOut(desired)
    return true
  }

  async #carryOut(desired: NodeState): Promise<void> {
    try {
      await this.#keep({ ...this.#kept, desired })
      await this.#engine.apply(desired)
      await this.#keep({ desired, applied: { revision: desired.revision, hash: hashOf(desired) } })
      this.#error = null
    } catch (error) {
      this.#fail(messageOf(error))
    }
  }

  async #keep(kept: KeptState): Promise<void> {
    await writeState(this.#directory, kept)
    this.#kept = kept
  }

  #fail(reason: string): void {
    this.#error = reason.slice(0, longestMessage)
  }
}
