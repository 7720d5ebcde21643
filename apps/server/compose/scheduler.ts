import type { Job, Kick } from '../core/kernel/jobs.ts'
import type { Tracer } from '../core/seeing/tracer.ts'
import { Cause, causedBy } from '../db/cause.ts'
import { afterCommit } from '../db/client.ts'
import type { Log } from '../ports/log.ts'

/** A job with what it works on. */
export interface Round {
  readonly job: Job<never>
  run(): Promise<unknown>
}

/** Work that is due is found in the tables themselves, so any number of schedulers may run and none is special. */
export class Scheduler {
  readonly #timers: NodeJS.Timeout[] = []
  readonly #running = new Set<Promise<void>>()
  readonly #kicks = new Map<Job<never>, () => void>()
  readonly #log: Log
  readonly #tracer: Tracer | undefined
  #isStopped = false

  constructor(log: Log, tracer?: Tracer) {
    this.#log = log
    this.#tracer = tracer
  }

  /** Idle ones run only when they are kicked. */
  start(rounds: readonly Round[], isIdle = false): void {
    for (const round of rounds) {
      const { job } = round
      let isBusy = false
      let isWantedAgain = false
      const tick = () => {
        if (isBusy || this.#isStopped) {
          isWantedAgain = true
          return
        }
        isBusy = true
        isWantedAgain = false
        const run = this.#run(round).then(() => {
          isBusy = false
          this.#running.delete(run)
          if (isWantedAgain) tick()
        })
        this.#running.add(run)
      }
      this.#kicks.set(job, tick)
      if (!isIdle) this.#timers.push(setInterval(() => isBusy || tick(), job.everySeconds * 1000))
    }
  }

  /** Under a name of its own, also where a request has asked for it. */
  #run({ job, run }: Round): Promise<void> {
    const span = this.#tracer?.begin(`job ${job.name}`, 'internal')
    return causedBy(Cause.ofJob(span), async () => {
      try {
        await run()
        span?.end()
      } catch (error) {
        span?.end(error)
        this.#log.error({ err: error, job: job.name }, 'job failed; it is tried again')
      }
    })
  }

  /** Runs a job now, or once what is being done is committed; when it is running, once more after that. */
  readonly kick: Kick = (job) => {
    const tick = this.#kicks.get(job)
    if (tick) afterCommit(tick)
  }

  /** When nothing runs any more. */
  async rest(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    for (const timer of this.#timers) clearInterval(timer)
    await this.rest()
  }
}
