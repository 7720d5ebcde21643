import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { withLock } from './lock.mjs'
import { explainFailure, Refusal } from './refusal.mjs'

/** npm's own pauses between attempts add up to many minutes of silence when there is no network. */
const npmFlags = [
  '--include=dev',
  '--no-audit',
  '--no-fund',
  '--fetch-retry-mintimeout=500',
  '--fetch-retry-maxtimeout=1000',
]

/** Makes node_modules match package-lock.json and returns the Node that runs the project. */
export async function ensureInstalled(root) {
  const stamp = expectedStamp(root)
  if (stamp === undefined) throw new Refusal('package-lock.json is missing: this is not a whole checkout.')
  if (!isStamped(root, stamp)) {
    const waiting = 'Another start is installing dependencies; waiting for it…'
    await withLock(root, 'install', waiting, (name) => installUnlessDone(root, stamp, name))
  }
  return projectNode(root) ?? process.execPath
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function expectedStamp(root) {
  const lock = read(join(root, 'package-lock.json'))
  if (lock === undefined) return undefined
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`
}

function isStamped(root, stamp) {
  return read(join(root, 'node_modules', '.sallyport-lock')) === stamp && runtimeFits(root)
}

function projectNode(root) {
  const path = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(path) ? path : undefined
}

/** A newer Node of the host stands in where the packaged one cannot run, such as on musl. */
function hostFits() {
  return Number(process.versions.node.split('.')[0]) >= 24
}

function runtimeFits(root) {
  return projectNode(root) !== undefined || hostFits()
}

async function installUnlessDone(root, stamp, name) {
  if (isStamped(root, stamp)) return
  if (!matchesLock(root)) {
    console.error('Installing dependencies (first start only, about a minute)…')
    await npmInstall(root, name)
  }
  ensureRuntime(root)
  // Written last: an install that was killed leaves no stamp and is done again by the next start.
  writeFileSync(join(root, 'node_modules', '.sallyport-lock'), stamp)
}

/** Someone who ran npm by hand has the same tree without our stamp; npm's own record of it tells. */
function matchesLock(root) {
  try {
    const wanted = JSON.parse(read(join(root, 'package-lock.json'))).packages
    const present = JSON.parse(read(join(root, 'node_modules', '.package-lock.json'))).packages
    return Object.entries(wanted).every(([path, entry]) => {
      if (!path.includes('node_modules/') || entry.optional || entry.devOptional) return true
      return present[path]?.version === entry.version && existsSync(join(root, path))
    })
  } catch {
    return false
  }
}

/**
 * A registry that lacks some packages for other platforms leaves them out of the lock file, and npm ci
 * refuses such a file. npm install takes everything else from it just the same.
 */
function lockLacksPlatforms(root) {
  const { packages } = JSON.parse(read(join(root, 'package-lock.json')))
  const known = (name) => Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`))
  return Object.values(packages).some((entry) => !Object.keys(entry.optionalDependencies ?? {}).every(known))
}

/** Scripts run on the Node of node_modules, which an install takes away first: npm needs one that stays. */
export function npmCommand(root, { env = process.env, execPath = process.execPath } = {}) {
  const goes = join(root, 'node_modules') + sep
  const node = [execPath, env.npm_node_execpath].find((path) => path && !path.startsWith(goes))
  const own = env.npm_execpath
  if (node && own && /npm-cli\.c?js$/.test(own)) return [node, own]
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

function npmInstall(root, name) {
  const [program, ...before] = npmCommand(root)
  const version = spawnSync(program, [...before, '--version'], { cwd: root, encoding: 'utf8' })
  if (version.error) throw new Refusal('npm was not found: install Node 20 or newer together with npm.')
  if (!(Number.parseInt(version.stdout, 10) >= 9)) {
    throw new Refusal(
      `npm ${version.stdout.trim()} is too old: npm 9 or newer is needed (npm install -g npm).`,
    )
  }
  const command = lockLacksPlatforms(root) ? ['install', '--no-save'] : ['ci']
  rmSync(join(root, 'node_modules'), { recursive: true, force: true })
  return new Promise((resolve, reject) => {
    // Tests and checks need the development packages too, whatever NODE_ENV says.
    const child = spawn(program, [...before, ...command, ...npmFlags], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (child.pid) name(child.pid)
    let output = ''
    const keep = (chunk) => {
      output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const stop = (signal) => child.kill(signal)
    const patience = setInterval(() => console.error('…still installing'), 60_000)
    process.on('SIGINT', stop).on('SIGTERM', stop)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearInterval(patience)
      process.off('SIGINT', stop).off('SIGTERM', stop)
      if (code === 0) resolve()
      else if (signal || code > 128) reject(new Refusal('Interrupted; the next start will install again.'))
      else reject(explainFailure(output))
    })
  })
}

/** npm may be told to ignore install scripts, and the runtime comes by such a script: run it ourselves. */
function ensureRuntime(root) {
  if (runtimeWorks(root)) return
  const folder = join(root, 'node_modules', 'node')
  const script = join(folder, 'installArchSpecificPackage.js')
  const attempt = existsSync(script)
    ? spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })
    : { stdout: '', stderr: 'node_modules/node is missing' }
  if (runtimeWorks(root)) return linkRuntime(root)
  if (hostFits()) return
  throw new Refusal(
    `${attempt.stdout}${attempt.stderr}\nThe Node 24 of the npm package "node" could not be set up. ` +
      'Run "npm ci --ignore-scripts=false", or start with Node 24 or newer.',
  )
}

/** npm makes no link to a program that was not there when it looked. */
function linkRuntime(root) {
  const link = join(root, 'node_modules', '.bin', 'node')
  if (process.platform === 'win32' || existsSync(link)) return
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync('../node/bin/node', link)
}

function runtimeWorks(root) {
  const path = projectNode(root)
  if (!path) return false
  const answer = spawnSync(path, ['--version'], { encoding: 'utf8' })
  if (answer.status === 0 && /^v\d+\.\d+/.test(answer.stdout)) return true
  rmSync(path, { force: true })
  return false
}
