import { readFile } from 'node:fs/promises'
import { uptime } from 'node:os'

const ticksPerSecond = 100
/** When the process began, counted from the kernel's start: what comes after the name in brackets, which may hold anything. */
const startField = 19

/** When the first process of this machine began, in seconds since the kernel's start. */
export const firstProcessStart = (procStat: string): number => {
  const fields = procStat.slice(procStat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[startField])
  return Number.isFinite(ticks) ? ticks / ticksPerSecond : 0
}

/** How long this machine runs; of a container, which shares its kernel with others, not how long the kernel does. */
export const machineUptimeSeconds = async (): Promise<number> => {
  const kernel = uptime()
  if (process.platform !== 'linux') return Math.floor(kernel)
  const began = firstProcessStart(await readFile('/proc/1/stat', 'utf8').catch(() => ''))
  return Math.floor(began <= kernel ? kernel - began : kernel)
}
