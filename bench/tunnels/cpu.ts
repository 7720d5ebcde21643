import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Place } from '../../e2e/support/lab/namespaces.ts'

/** Everything that runs on a machine of the lab, and so engines with whatever looks after them. */
export const processesOf = async ({ namespace }: Place): Promise<number[]> => {
  const { stdout } = await promisify(execFile)('ip', ['netns', 'pids', namespace])
  return stdout.split('\n').filter(Boolean).map(Number)
}

const secondsOfThread = (file: string): number => {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e9
  } catch {
    return 0
  }
}

/** What their threads have computed so far, to the nanosecond. */
export const secondsOf = (pids: readonly number[]): number =>
  pids
    .flatMap((pid) => {
      const folder = `/proc/${pid}/task`
      try {
        return readdirSync(folder).map((thread) => secondsOfThread(`${folder}/${thread}/schedstat`))
      } catch {
        return []
      }
    })
    .reduce((sum, seconds) => sum + seconds, 0)
