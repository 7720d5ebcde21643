import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { familyOf } from '../../metering/watch.ts'

/**
 * A half of the processors for who is asked, the other for who asks: customers do not take processors from the service
 * that they flood. On one machine they would, the more the more they ask.
 */
export const divideProcessors = () => {
  const all = availableParallelism()
  const half = Math.max(1, all >> 1)
  const halves = { asked: `0-${half - 1}`, asking: `${Math.min(half, all - 1)}-${all - 1}` }
  return {
    /** These processes, with all that they have started and will start. */
    hold: (side: keyof typeof halves, pids: readonly number[]): void => {
      for (const pid of pids.flatMap(familyOf))
        try {
          execFileSync('taskset', ['-acp', halves[side], String(pid)], { stdio: 'ignore' })
        } catch {
          // It has ended since.
        }
    },
  }
}
