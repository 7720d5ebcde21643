import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Engine } from './engine-list.ts'
import type { Task } from './tasks.ts'

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
const target = join(cache, 'sallyport', 'engines', 'bin')
const run = promisify(execFile)

async function printed(program: string, args: string[]): Promise<string> {
  try {
    return (await run(program, args, { timeout: 20_000 })).stdout
  } catch {
    return ''
  }
}

const versionFile = (program: string): string => `${program}.version`
const bareVersion = ({ version }: Engine): string => version.slice(1)

async function isRight(engine: Engine, program: string): Promise<boolean> {
  return engine.prints.test(await printed(program, engine.versionArgs))
}

async function isInstalled(engine: Engine, program: string): Promise<boolean> {
  if (!(await isRight(engine, program))) return false
  if (!engine.hidesVersion) return true
  const kept = await readFile(versionFile(program), 'utf8').catch(() => '')
  return kept.trim() === bareVersion(engine)
}

async function findGo(): Promise<string | null> {
  for (const go of ['go', '/usr/local/go/bin/go']) if (await printed(go, ['version'])) return go
  return null
}

/**
 * From a module of our own that requires the exact version: `go install program@version` first asks the module
 * proxy for the list of all versions, which not every proxy gives.
 */
async function compile(go: string, engine: Engine, folder: string): Promise<string> {
  const { module, version, program, tags = '', linkerFlags = '' } = engine
  const env = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' }
  const call = (...args: string[]) => run(go, args, { env, cwd: folder, maxBuffer: 16 * 1024 * 1024 })
  const built = join(folder, engine.name)
  await call('mod', 'init', 'sallyport/engine')
  await call('mod', 'edit', `-require=${module}@${version}`)
  const flags = ['-mod=mod', '-trimpath', `-tags=${tags}`, `-ldflags=-s -w ${linkerFlags}`, '-o', built]
  await call('build', ...flags, `${module}${program}`)
  return built
}

/** Built in a folder beside the target, so that the rename is one step and a half-built one is never used. */
async function build(go: string, engine: Engine): Promise<void> {
  const folder = await mkdtemp(join(target, `.${engine.name}-`))
  const program = join(target, engine.name)
  try {
    const built = await compile(go, engine, folder)
    await chmod(built, 0o755)
    if (!(await isRight(engine, built))) throw new Error(`the built ${engine.name} is not ${engine.version}`)
    await rm(versionFile(program), { force: true })
    await rename(built, program)
    if (engine.hidesVersion) await writeFile(versionFile(program), `${bareVersion(engine)}\n`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function install(engine: Engine): Promise<void> {
  const program = join(target, engine.name)
  await mkdir(target, { recursive: true })
  if (await isInstalled(engine, program)) {
    console.log(`${engine.name} ${engine.version} is installed: ${program}`)
    return
  }
  const go = await findGo()
  if (!go) {
    throw new Error(
      `Go was not found, and ${engine.name} is built with it: install Go 1.26 or newer (https://go.dev/dl), ` +
        `or put a ready ${engine.name} ${engine.version} into a folder of PATH.`,
    )
  }
  console.log(`Building ${engine.name} ${engine.version} (some minutes)…`)
  const startedMs = Date.now()
  await build(go, engine)
  const seconds = Math.round((Date.now() - startedMs) / 1000)
  console.log(`${engine.name} ${engine.version} is ready after ${seconds} s: ${program}`)
}

export const taskOf = (engine: Engine): Task => ({
  name: `${engine.name} ${engine.version}`,
  work: () => install(engine),
})
