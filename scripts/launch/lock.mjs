import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const staleLockMs = 20 * 60_000

/** One start at a time does `what` for a checkout; the others wait, and say so. `work` is told how to name a helper of its own. */
export async function withLock(root, what, waiting, work) {
  const path = lockPath(root, what)
  mkdirSync(tmpdir(), { recursive: true })
  let told = false
  while (!takeLock(path)) {
    if (!told) console.error(waiting)
    told = true
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  try {
    return await work((pid) => writeFileSync(path, JSON.stringify([process.pid, pid])))
  } finally {
    rmSync(path, { force: true })
  }
}

function lockPath(root, what) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  return join(tmpdir(), `sallyport-${what}-${name}`)
}

function takeLock(path) {
  try {
    writeFileSync(path, JSON.stringify([process.pid]), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isStale(path)) rmSync(path, { force: true })
    return false
  }
}

/** The lock names us and our helper, which may go on for a while after its starter was killed. */
function isStale(path) {
  try {
    const ageMs = Date.now() - statSync(path).mtimeMs
    if (ageMs > staleLockMs) return true
    const content = readFileSync(path, 'utf8')
    return content ? !JSON.parse(content).some(isAlive) : ageMs > 5000
  } catch {
    return false
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
