import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Tests from outside see the cabinet as it is built now; whoever has built it waits for nothing. */
export default async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/run.mjs', 'build'], { cwd: root })
}
