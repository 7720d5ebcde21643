import type { SteadyStep } from './contracts.ts'
import type { LabProcess } from './lab-process.ts'

export interface Pace {
  readonly bytes: number
  readonly everyMs: number
}

/** A connection that is held open and carries a little all the time, seen from the customer's side. */
export class Steady {
  readonly #process: LabProcess
  readonly #openedAtMs = Date.now()

  constructor(process: LabProcess) {
    this.#process = process
  }

  get steps(): SteadyStep[] {
    return this.#process.lines<SteadyStep>()
  }

  /** Whole answers only. */
  get bytes(): number {
    return this.steps.at(-1)?.bytes ?? 0
  }

  get isRunning(): boolean {
    return this.#process.isRunning
  }

  get lastAtMs(): number {
    return this.steps.at(-1)?.atMs ?? this.#openedAtMs
  }

  /** Broken, or without a sign of life for so long. */
  isOver(silentMs: number): boolean {
    return !this.isRunning || Date.now() - this.lastAtMs > silentMs
  }

  /** The longest time without an answer, up to now. */
  get longestSilenceMs(): number {
    const times = [this.#openedAtMs, ...this.steps.map((step) => step.atMs), Date.now()]
    return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)))
  }

  async stop(): Promise<void> {
    await this.#process.stop()
  }
}
