import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const memory = '/dev/shm'
/** Many times what databases of tests take, with their logs: whatever else runs here needs memory, too. */
const roomy = 2 * 1024 ** 3

const freeBytes = (): number => {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, process.availableMemory())
  } catch {
    return 0
  }
}

/**
 * Each test file copies a database, which is a thousand files: in memory, where there is room, that takes a fifth of the time. Only
 * for what is gone however the run ends.
 */
export const quickFolder = (): string => (freeBytes() > roomy ? memory : tmpdir())
