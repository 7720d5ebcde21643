import { availableParallelism } from 'node:os'

export type Task = { name: string; work: () => Promise<unknown> }
export type Took = { name: string; seconds: number; problem: string | null }

/** Go's compiler takes every core by itself; what it loads and links does not, so a second build fills those gaps. */
export const buildLanes = Math.min(2, availableParallelism())

async function timed({ name, work }: Task): Promise<Took> {
  const startedMs = Date.now()
  const problem = await work().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (problem !== null) console.error(problem)
  return { name, seconds: Math.round((Date.now() - startedMs) / 1000), problem }
}

/** So many at a time, begun in their order. One that fails holds up no other. */
export async function inLanes(tasks: readonly Task[], lanes: number): Promise<Took[]> {
  const waiting = [...tasks]
  const took: Took[] = []
  const lane = async (): Promise<void> => {
    for (let task = waiting.shift(); task; task = waiting.shift()) took.push(await timed(task))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return took
}

/** Ends badly when one of them did. */
export function report(took: readonly Took[]): void {
  if (took.some(({ problem }) => problem !== null)) process.exitCode = 1
}
