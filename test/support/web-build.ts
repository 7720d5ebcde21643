import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Tests from outside see the cabinet as it is built now; whoever has built it waits for nothing. */
export default async function setup(): Promise<void> {
  const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: root })
  await run('scripts/run.mjs', 'build')
  await run('apps/web/build.ts', 'specimen')
}
