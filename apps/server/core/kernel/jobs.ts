/** Recurring work, declared beside what it does. What is due is found in the tables themselves. */
export interface Job<Parts> {
  readonly name: string
  readonly everySeconds: number
  run(at: Parts, now: number): Promise<unknown>
}

/** Runs a job now instead of at its next time. */
export type Kick = (job: Job<never>) => void
