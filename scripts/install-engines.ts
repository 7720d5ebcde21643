import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

type Engine = {
  name: string
  module: string
  version: string
  /** The name that go install gives to the program. */
  builtAs: string
  versionArgs: string[]
  prints: RegExp
}

const engines: Engine[] = [
  {
    name: 'xray',
    module: 'github.com/xtls/xray-core/main',
    version: 'v1.260327.0',
    builtAs: 'main',
    versionArgs: ['version'],
    prints: /^Xray 26\.3\.27\b/,
  },
]

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
const target = join(cache, 'sallyport', 'engines', 'bin')

async function printed(program: string, args: string[]): Promise<string | null> {
  try {
    return (await promisify(execFile)(program, args, { timeout: 20_000 })).stdout
  } catch {
    return null
  }
}

async function isRight(engine: Engine, program: string): Promise<boolean> {
  return engine.prints.test((await printed(program, engine.versionArgs)) ?? '')
}

async function findGo(): Promise<string | null> {
  for (const go of ['go', '/usr/local/go/bin/go']) if (await printed(go, ['version'])) return go
  return null
}

function goInstall(go: string, engine: Engine, folder: string): Promise<number> {
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
  const args = ['install', '-trimpath', '-ldflags=-s -w', `${engine.module}@${engine.version}`]
  return new Promise((resolve, reject) => {
    const child = spawn(go, args, { env, cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** Built in a folder beside the target, so that the rename is one step and a half-built one is never used. */
async function build(go: string, engine: Engine): Promise<void> {
  const folder = await mkdtemp(join(target, `.${engine.name}-`))
  try {
    const code = await goInstall(go, engine, folder)
    if (code !== 0) throw new Error(`go install ${engine.module}@${engine.version} failed with code ${code}`)
    const built = join(folder, engine.builtAs)
    await chmod(built, 0o755)
    if (!(await isRight(engine, built))) throw new Error(`the built ${engine.name} is not ${engine.version}`)
    await rename(built, join(target, engine.name))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function install(engine: Engine): Promise<void> {
  const program = join(target, engine.name)
  if (existsSync(program) && (await isRight(engine, program))) {
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
  console.log(
    `${engine.name} ${engine.version} is ready after ${Math.round((Date.now() - startedMs) / 1000)} s: ${program}`,
  )
}

await mkdir(target, { recursive: true })
for (const engine of engines) {
  try {
    await install(engine)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
