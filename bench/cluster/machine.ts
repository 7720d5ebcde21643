import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'

/** How quick the machine itself is just now: on a shared host that may change threefold from one minute to the next. */

const seconds = 3
const piece = Buffer.alloc(4096, 1)

const hashForAWhile = (): number => {
  const until = performance.now() + seconds * 1000
  let hashed = 0
  for (; performance.now() < until; hashed++) createHash('sha256').update(piece).digest()
  return hashed / seconds
}

if (!isMainThread) parentPort?.postMessage(hashForAWhile())

/** Thousands of hashes a second of 4 KB, of all processors together. */
export const measureMachine = async (): Promise<number> => {
  // What was measured before may still be at its end.
  await sleep(1000)
  const workers = Array.from({ length: availableParallelism() }, () => new Worker(import.meta.filename))
  const rates = await Promise.all(
    workers.map(
      (worker) => new Promise<number>((resolve, reject) => worker.on('message', resolve).on('error', reject)),
    ),
  )
  return rates.reduce((sum, rate) => sum + rate, 0) / 1000
}
