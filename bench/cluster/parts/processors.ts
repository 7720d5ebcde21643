import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { familyOf } from '../../metering/watch.ts'

/** Holds these processes, with all they have started and will start, to some of the processors. */
const hold = (pids: readonly number[], processors: string): void => {
  for (const pid of pids.flatMap(familyOf))
    try {
      execFileSync('taskset', ['-acp', processors, String(pid)], { stdio: 'ignore' })
    } catch {
      // It has ended since.
    }
}

/**
 * A half of the processors for who is asked, the other for who asks: customers do not take processors from the service
 * that they flood. On one machine they would, the more the more they ask.
 */
export const divideProcessors = (asked: readonly number[], asking: readonly number[]): void => {
  const all = availableParallelism()
  const half = Math.max(1, all >> 1)
  hold(asked, `0-${half - 1}`)
  hold(asking, `${Math.min(half, all - 1)}-${all - 1}`)
}
