import { setTimeout as sleep } from 'node:timers/promises'
import type { Port } from './turn.ts'
import { notUp, unitState } from './units.ts'

const everyMs = 250
const answerMs = 2000
/** A moment of the database's is not the release's fault. */
const patienceMs = 60_000
const paths = ['/healthz', '/readyz', '/'] as const

/** Undefined when all is well. */
const problemOf = async (port: Port): Promise<string | undefined> => {
  for (const path of paths) {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(answerMs) })
      await answer.arrayBuffer()
      if (answer.status !== 200) return `answers ${path} with ${answer.status}`
    } catch (error) {
      return `does not answer ${path} (${(error as Error).message})`
    }
  }
  return undefined
}

export interface Trial {
  readonly port: Port
  readonly version: string
  /** The process that came up, and has to be the same at the end. */
  readonly pid: number
  readonly seconds: number
  readonly interrupted: AbortSignal
}

/** Returns when the release was ready and well for so many seconds in a row, as the same process. */
export const standTrial = async ({ port, version, pid, seconds, interrupted }: Trial): Promise<void> => {
  const deadline = performance.now() + seconds * 1000 + patienceMs
  let wellSince = performance.now()
  for (;;) {
    interrupted.throwIfAborted()
    const problem = await problemOf(port)
    if (problem) wellSince = performance.now()
    const unit = await unitState(port)
    if (unit.pid !== pid || unit.restarts > 0)
      throw await notUp(port, `Release ${version} came up and went down again.`)
    if (performance.now() - wellSince >= seconds * 1000) return
    if (performance.now() > deadline)
      throw await notUp(port, `Release ${version} ${problem ?? 'is well only now and then'}.`)
    await sleep(everyMs)
  }
}
