import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'

/** What the web app is made of, besides packages. */
const folders = ['apps/web', 'packages/contract', 'packages/domain']
const builder = 'apps/web/build.ts'
const isSource = (path) => !/(^|[\\/])(dist|node_modules)[\\/]|\.test\.tsx?$/.test(path)
const builtPath = (root) => join(root, 'apps/web/dist/cabinet')
/** Beside what was built, what it was built of. */
const stampPath = (root) => join(root, 'apps/web/dist/sources.sha256')

/** Builds the cabinet unless it is as its sources are, and tells how that went; undefined where there was nothing to do. */
export async function buildWeb(root, node) {
  if (!existsSync(join(root, builder)) || isBuilt(root)) return undefined
  return withLock(root, 'build', 'Another start is building the cabinet; waiting for it…', async (name) => {
    if (isBuilt(root)) return undefined
    return buildNow(root, node, name).catch((error) => ({ problem: error.message }))
  })
}

/** The same before the service starts, which does not depend on it. */
export async function buildWebForStart(root, node) {
  const { seconds, problem } = (await buildWeb(root, node)) ?? {}
  if (seconds !== undefined) console.error(`Built the cabinet in ${seconds} s.`)
  if (problem === undefined) return
  const instead = existsSync(builtPath(root)) ? 'the one built before is served' : 'it is not served'
  const reason = /^.*error.*$/im.exec(problem)?.[0] ?? problem.split('\n').at(-1)
  console.error(`The cabinet could not be built, and ${instead}; npm run build shows all of why: ${reason}`)
}

async function buildNow(root, node, name) {
  const startedMs = Date.now()
  const sources = stampOf(root)
  // Written last: a build that was killed leaves no stamp, and is done again.
  rmSync(stampPath(root), { force: true })
  const { code, output } = await runBuilder(root, node, name)
  if (code !== 0) return { problem: output.trim() || `${builder} ended with ${code}` }
  writeFileSync(stampPath(root), sources)
  return { seconds: ((Date.now() - startedMs) / 1000).toFixed(1) }
}

function runBuilder(root, node, name) {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(root, builder)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'sallyport'), ...process.env },
  })
  if (child.pid) name(child.pid)
  let output = ''
  const keep = (chunk) => {
    output += chunk
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code: code ?? signal, output }))
  })
}

const isBuilt = (root) => existsSync(builtPath(root)) && readStamp(root) === stampOf(root)

function readStamp(root) {
  try {
    return readFileSync(stampPath(root), 'utf8')
  } catch {
    return undefined
  }
}

function stampOf(root) {
  const sum = createHash('sha256')
  const take = (path) =>
    sum.update(`${path}\n`).update(
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest(),
    )
  take('package-lock.json')
  for (const folder of folders) {
    const found = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    const paths = found
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    for (const path of paths
      .map((one) => one.slice(root.length + 1))
      .filter(isSource)
      .sort())
      take(path)
  }
  return `${sum.digest('hex')}\n`
}
