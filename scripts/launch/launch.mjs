import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWebForStart } from './build-web.mjs'
import { ensureInstalled } from './install.mjs'
import { Refusal } from './refusal.mjs'

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Runs a file of the project on the project's own Node, after `first`, and ends with its exit code. */
export async function launch(file, args, { cwd = process.cwd(), onKilled = () => {}, first } = {}) {
  const node = await prepare()
  if (!node) return onKilled()
  await first?.(root, node)
  const { code, signal } = await runChild(node, [join(root, file), ...args], cwd)
  if (signal) onKilled()
  process.exitCode = signal ? 128 + constants.signals[signal] : code
}

/** Everything that serves needs the cabinet; a question about how to start does not. */
export function start(args) {
  return launch('apps/server/cli.ts', ['start', ...args], {
    first: args.length === 0 ? buildWebForStart : undefined,
  })
}

/** The Node of the project once everything is installed; undefined, with a sentence, when that failed. */
export async function prepare() {
  try {
    return await ensureInstalled(root)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    process.exitCode = 1
    return undefined
  }
}

function runChild(node, args, cwd) {
  const PATH = [join(root, 'node_modules', '.bin'), process.env.PATH].filter(Boolean).join(delimiter)
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'sallyport'), ...process.env, PATH },
  })
  // A terminal sends Ctrl-C to the child as well; passing it on would make it two.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGHUP', () => child.kill('SIGHUP'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}
