import { availableParallelism, totalmem } from 'node:os'

/** What this process may use: the machine's, or its container's where that is less. */
export interface Machine {
  readonly cores: number
  readonly memoryBytes: number
}

export const thisMachine = (): Machine => ({
  cores: availableParallelism(),
  memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
})

/** What settings are when nobody says otherwise. */
export interface MachineDefaults {
  readonly pool: number
  readonly readLanes: number
  readonly maxConnections: number
  readonly maxWaitingRequests: number
}

const gibibyte = 1024 ** 3
const within = (count: number, [least, most]: readonly [number, number]): number =>
  Math.min(most, Math.max(least, Math.floor(count)))

/**
 * One instance is one thread, so that more cores help PostgreSQL rather than it. Three instances at the most of these fit within the
 * 100 connections that PostgreSQL takes by itself.
 */
export const defaultsFor = ({ cores, memoryBytes }: Machine): MachineDefaults => {
  const gibibytes = memoryBytes / gibibyte
  return {
    pool: within(5 * cores, [5, 20]),
    readLanes: within(2 * cores, [2, 6]),
    maxConnections: within(2500 * gibibytes, [1000, 20_000]),
    maxWaitingRequests: within(500 * gibibytes, [250, 500]),
  }
}
