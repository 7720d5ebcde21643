import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { EngineName } from '@sallyport/contract/agent/agent'

export type Located =
  | { readonly state: 'found'; readonly path: string; readonly version: string }
  | { readonly state: 'missing' | 'refused'; readonly version: string | null; readonly reason: string }

export interface EngineKind {
  readonly name: EngineName
  /** What people call it. */
  readonly title: string
  readonly program: string
  /** Setting that names a path instead of the search. */
  readonly variable: string
  readonly versionArgs: readonly string[]
  /** The version in what the program prints, or null when another program printed it. */
  readonly parse: (output: string) => string | null
  /** The oldest that the engine tests were run with. */
  readonly oldest: string
  /** Newer versions that break something we rely on. */
  readonly refusals: readonly { readonly version: string; readonly reason: string }[]
}

export const engineKinds: Readonly<Record<EngineName, EngineKind>> = {
  xray: {
    name: 'xray',
    title: 'Xray',
    program: 'xray',
    variable: 'SALLYPORT_XRAY',
    versionArgs: ['version'],
    parse: (output) => /^Xray (\d+\.\d+\.\d+)\b/.exec(output)?.[1] ?? null,
    oldest: '26.3.27',
    refusals: [],
  },
  amneziawg: {
    name: 'amneziawg',
    title: 'AmneziaWG',
    program: 'amneziawg-go',
    variable: 'SALLYPORT_AMNEZIAWG',
    versionArgs: ['--version'],
    parse: (output) => /^amneziawg-go v?(\d+\.\d+\.\d+)\b/.exec(output)?.[1] ?? null,
    // What 0.2.19 prints: the number in the program is not the one of its release.
    oldest: '0.0.20250522',
    refusals: [],
  },
  mtg: {
    name: 'mtg',
    title: 'mtg',
    program: 'mtg',
    variable: 'SALLYPORT_MTG',
    versionArgs: ['--version'],
    parse: (output) => /^v?(\d+\.\d+\.\d+)\b/.exec(output)?.[1] ?? null,
    oldest: '2.2.8',
    refusals: [],
  },
}

const run = promisify(execFile)
const howToInstall = 'Install it with: npm run engines:install'

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const cacheDirectory = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sallyport', 'engines', 'bin')

const candidates = ({ program }: EngineKind, env: NodeJS.ProcessEnv): string[] => {
  const inPath = (env.PATH ?? '').split(delimiter).filter((directory) => directory !== '')
  return [...inPath, cacheDirectory(env)].map((directory) => join(directory, program))
}

export const isOlder = (version: string, than: string): boolean => {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number))
  for (const [index, part] of (left ?? []).entries()) {
    const difference = part - (right?.[index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

export const judgeVersion = (kind: EngineKind, path: string, version: string | null): Located => {
  const { title, oldest, refusals } = kind
  if (version === null) {
    return { state: 'refused', version, reason: `${path} does not answer like ${title}. ${howToInstall}` }
  }
  const refuse = (why: string): Located => ({
    state: 'refused',
    version,
    reason: `${title} ${version} at ${path} ${why}. ${howToInstall}`,
  })
  if (isOlder(version, oldest)) return refuse(`is older than ${oldest}, the oldest that is known to work`)
  const refusal = refusals.find((one) => one.version === version)
  return refusal ? refuse(`cannot be used: ${refusal.reason}`) : { state: 'found', path, version }
}

/** What our installer wrote beside a program that does not know its own version. */
const keptVersion = async (path: string): Promise<string | null> => {
  const text = await readFile(`${path}.version`, 'utf8').catch(() => '')
  return /^\d+\.\d+\.\d+$/.exec(text.trim())?.[0] ?? null
}

/** The engine named by its setting, in the PATH, or where `npm run engines:install` puts it. */
export const locateEngine = async (name: EngineName, env: NodeJS.ProcessEnv): Promise<Located> => {
  const kind = engineKinds[name]
  const named = env[kind.variable]
  const path = named ? [named].find(isExecutable) : candidates(kind, env).find(isExecutable)
  if (path === undefined) {
    const where = named
      ? `${kind.variable} names ${named}, which cannot be executed`
      : `${kind.title} is not installed`
    return { state: 'missing', version: null, reason: `${where}. ${howToInstall}` }
  }
  try {
    const { stdout } = await run(path, [...kind.versionArgs], { timeout: 10_000 })
    const printed = kind.parse(stdout)
    return judgeVersion(kind, path, printed && ((await keptVersion(path)) ?? printed))
  } catch {
    const command = [path, ...kind.versionArgs].join(' ')
    return { state: 'refused', version: null, reason: `${command} does not run. ${howToInstall}` }
  }
}

export const locateXray = (env: NodeJS.ProcessEnv): Promise<Located> => locateEngine('xray', env)
