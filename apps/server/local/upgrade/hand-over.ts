import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import type { Environment } from './preparation.ts'

/** The release that comes does the rest itself, so that the steps fit it. Gives its exit code. */
export const handOver = async (
  program: string,
  args: readonly string[],
  env: Environment,
): Promise<number> => {
  const child = spawn(program, args, { stdio: 'inherit', env })
  // A terminal sends Ctrl-C to the child as well.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL']
}
