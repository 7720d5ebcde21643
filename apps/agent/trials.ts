import type { Trial } from '@sallyport/contract/agent/agent'
import { messageOf } from './common/backoff.ts'
import { limited } from './engines/process/child.ts'
import type { Verdict } from './engines/xray/trial.ts'

const atOnce = 4

type OwnTargets = readonly string[] | undefined

export interface TrialsOptions {
  /** Null when there is no engine to ask. */
  readonly tryConfig: (config: string, ownTargets: OwnTargets) => Promise<Verdict | null>
  readonly answer: (id: number, verdict: Verdict) => Promise<void>
  readonly log: (message: string) => void
}

/** Tries configurations in the background, each once, and sees to it that the service hears the verdict. */
export class Trials {
  readonly #options: TrialsOptions
  readonly #inTurn = limited(atOnce)
  readonly #running = new Set<number>()
  readonly #verdicts = new Map<number, Verdict>()

  constructor(options: TrialsOptions) {
    this.#options = options
  }

  /** What the service waits for at present; the same may come again until it has the answer. */
  take(trials: readonly Trial[], ownTargets?: OwnTargets): void {
    const open = new Set(trials.map(({ id }) => id))
    for (const id of this.#verdicts.keys()) if (!open.has(id)) this.#verdicts.delete(id)
    for (const trial of trials) {
      if (this.#running.has(trial.id)) continue
      this.#running.add(trial.id)
      void this.#inTurn(() => this.#settle(trial, ownTargets))
        .catch((error) => this.#options.log(`trial ${trial.id}: ${messageOf(error)}`))
        .finally(() => this.#running.delete(trial.id))
    }
  }

  async #settle({ id, config }: Trial, ownTargets: OwnTargets): Promise<void> {
    const verdict = this.#verdicts.get(id) ?? (await this.#options.tryConfig(config, ownTargets))
    if (verdict === null) return
    this.#verdicts.set(id, verdict)
    await this.#options.answer(id, verdict)
  }
}
