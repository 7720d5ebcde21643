import type { Log } from '../ports/log.ts'

export interface Job {
  readonly name: string
  readonly everyMs: number
  run(): Promise<unknown>
}

/** Work that is due is found in the tables themselves, so any number of schedulers may run and none is special. */
export class Scheduler {
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Set<Promise<void>>()
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  start(jobs: readonly Job[]): void {
    for (const job of jobs) {
      let isBusy = false
      const tick = () => {
        if (isBusy) return
        isBusy = true
        const run = job
          .run()
          .catch((error: unknown) =>
            this.#log.error({ err: error, job: job.name }, 'job failed; it is tried again'),
          )
          .then(() => {
            isBusy = false
            this.#running.delete(run)
          })
        this.#running.add(run)
      }
      this.#timers.push(setInterval(tick, job.everyMs))
    }
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await Promise.all(this.#running)
  }
}
