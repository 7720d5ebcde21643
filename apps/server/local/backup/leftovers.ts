import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What a killed backup left behind, by the number of its process in the name. Of one that is still at work nothing is taken. */
export const removeLeftovers = (folder: string, shape: RegExp): void => {
  for (const name of readdirSync(folder)) {
    const pid = Number(shape.exec(name)?.[1])
    if (!pid || (pid !== process.pid && isAlive(pid))) continue
    rmSync(join(folder, name), { recursive: true, force: true })
  }
}
