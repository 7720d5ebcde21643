import { totalmem } from 'node:os'

/** How much memory kept answers may take. Their bytes lie beside the heap, so that its limit does not count them. */

const mebibyte = 1024 * 1024
const least = 64 * mebibyte
/** Room for some 200,000 answers of ten entries. */
const most = 1024 * mebibyte
const share = 1 / 8

/** What this process may use: the machine's, or its container's where that is less. */
export const memoryOfMachine = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity)

export const answerMemoryBudget = (memoryBytes: number): number =>
  Math.min(most, Math.max(least, Math.floor(memoryBytes * share)))
