import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Finding } from '../kernel/alerts.ts'
import type { Job, Progress } from '../kernel/jobs.ts'
import { Distribution } from '../seeing/distribution.ts'

/** When each job last came to its end here, or further on: what hangs or always fails is seen by that it does not. */

/** Times are of this machine's own clock, which nobody turns. */
interface LastRun {
  readonly everySeconds: number
  endedMs: number
  /** Of a run that is under way when it last got on; otherwise when the last one ended. */
  movedMs: number
  problem: string | null
  failures: number
  readonly times: Distribution
}

/** Seconds. */
const timeBounds = [0.01, 0.1, 1, 10, 60]

/** Instances that have not noted anything for this long are gone. */
const goneAfterSeconds = 300
const patienceSeconds = 900
const patienceRounds = 3

export interface JobFigures {
  readonly everySeconds: number
  /** Since it last came to its end, or further on. */
  readonly ageSeconds: number
  readonly failures: number
  readonly times: Distribution
}

export class JobRuns {
  readonly #instance = randomUUID()
  readonly #runs = new Map<string, LastRun>()

  /** The same work, of which is noted how it ends. */
  watch(
    job: Pick<Job<never>, 'name' | 'everySeconds'>,
    run: (progress: Progress) => Promise<unknown>,
  ): () => Promise<unknown> {
    const nowMs = performance.now()
    const last: LastRun = {
      everySeconds: job.everySeconds,
      endedMs: nowMs,
      movedMs: nowMs,
      problem: null,
      failures: 0,
      times: new Distribution(timeBounds),
    }
    const progress = () => {
      last.movedMs = performance.now()
    }
    this.#runs.set(job.name, last)
    return async () => {
      const begunMs = performance.now()
      try {
        await run(progress)
        last.endedMs = performance.now()
        last.movedMs = last.endedMs
        last.problem = null
      } catch (error) {
        // One that gets on a little and then fails, each time, stands still all the same.
        last.movedMs = last.endedMs
        // Its words may hold what is in the tables.
        last.problem = error instanceof Error ? error.name : 'unknown'
        last.failures++
        throw error
      } finally {
        last.times.observe((performance.now() - begunMs) / 1000)
      }
    }
  }

  /** As this instance has run them. */
  *entries(): Iterable<readonly [string, JobFigures]> {
    for (const [name, { everySeconds, movedMs, failures, times }] of this.#runs)
      yield [name, { everySeconds, ageSeconds: (performance.now() - movedMs) / 1000, failures, times }]
  }

  async note(tx: Db, now: number): Promise<void> {
    const names = [...this.#runs.keys()]
    const runs = [...this.#runs.values()]
    const ended = runs.map(({ movedMs }) => now - Math.floor((performance.now() - movedMs) / 1000))
    const problems = runs.map(({ problem }) => problem)
    await sql`
      insert into job_runs (name, instance, finished_at, problem, noted_at)
      select name, ${this.#instance}, finished_at, problem, ${now}::bigint
      from unnest(${names}::text[], ${ended}::bigint[], ${problems}::text[]) as run (name, finished_at, problem)
      on conflict (name, instance) do update
        set finished_at = excluded.finished_at, problem = excluded.problem, noted_at = excluded.noted_at`.execute(
      tx,
    )
    await tx
      .deleteFrom('job_runs')
      .where('noted_at', '<', now - goneAfterSeconds)
      .execute()
  }

  /** Jobs of this release that stand still, on whichever instance. */
  async findStuck(tx: Db, now: number): Promise<Finding[]> {
    const { rows } = await sql<{ name: string; finished_at: number; problem: string | null }>`
      select distinct on (name) name, finished_at, problem from job_runs order by name, finished_at`.execute(
      tx,
    )
    return rows.flatMap(({ name, finished_at: finishedAt, problem }) => {
      const every = this.#runs.get(name)?.everySeconds
      if (every === undefined) return []
      const since = finishedAt + Math.max(patienceSeconds, patienceRounds * every)
      if (since > now) return []
      return [{ subject: `job:${name}`, details: { job: name, finished_at: finishedAt, problem }, since }]
    })
  }
}
