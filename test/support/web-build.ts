import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { oncePerRun } from './databases/once-per-run.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const build = async (): Promise<void> => {
  const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: root })
  await run('scripts/run.mjs', 'build')
  await run('apps/web/build.ts', 'specimen')
}

/** Tests from outside see the cabinet as it is built now; whoever has built it waits for nothing. */
export default async function setup(): Promise<() => Promise<void>> {
  const { leave } = await oncePerRun('web-build', build, async () => undefined)
  return leave
}
