import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

type Engine = {
  name: string
  module: string
  version: string
  /** The package within the module that is the program; empty when it is the module itself. */
  program: string
  versionArgs: string[]
  prints: RegExp
  /** Prints the same number whatever was built: the version is kept in a file beside the program. */
  hidesVersion?: boolean
  tags?: string
  linkerFlags?: string
}

const engines: Engine[] = [
  {
    name: 'xray',
    module: 'github.com/xtls/xray-core',
    version: 'v1.260327.0',
    program: '/main',
    versionArgs: ['version'],
    prints: /^Xray 26\.3\.27\b/,
  },
  {
    name: 'amneziawg-go',
    module: 'github.com/amnezia-vpn/amneziawg-go',
    version: 'v0.2.19',
    program: '',
    versionArgs: ['--version'],
    prints: /^amneziawg-go \d/,
    hidesVersion: true,
  },
  {
    name: 'mtg',
    module: 'github.com/9seconds/mtg/v2',
    version: 'v2.2.8',
    program: '',
    versionArgs: ['--version'],
    prints: /^2\.2\.8\b/,
    linkerFlags: '-X main.version=2.2.8',
  },
]

/** Clients that the tests use; a node does not need them. */
const testEngines: Engine[] = [
  {
    name: 'sing-box',
    module: 'github.com/sagernet/sing-box',
    version: 'v1.13.2',
    program: '/cmd/sing-box',
    versionArgs: ['version'],
    prints: /^sing-box version 1\.13\.2\b/,
    tags: 'with_quic,with_utls,with_gvisor,with_wireguard,with_clash_api,badlinkname,tfogo_checklinkname0',
    linkerFlags: '-checklinkname=0 -X github.com/sagernet/sing-box/constant.Version=1.13.2',
  },
  {
    name: 'mihomo',
    module: 'github.com/metacubex/mihomo',
    version: 'v1.19.30',
    program: '',
    versionArgs: ['-v'],
    prints: /^Mihomo Meta 1\.19\.30\b/,
    tags: 'with_gvisor',
    linkerFlags: '-X github.com/metacubex/mihomo/constant.Version=1.19.30',
  },
]

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

const isForTests = process.argv.slice(2).includes('--tests')
await mkdir(target, { recursive: true })
for (const engine of isForTests ? [...engines, ...testEngines] : engines) {
  try {
    await install(engine)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
