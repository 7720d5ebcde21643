import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

export type Located =
  | { readonly state: 'found'; readonly path: string; readonly version: string }
  | { readonly state: 'missing' | 'refused'; readonly version: string | null; readonly reason: string }

const run = promisify(execFile)

/** The oldest that the engine tests were run with; 26.7.28 passes them too. */
export const oldestXray = '26.3.27'

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

const candidates = (env: NodeJS.ProcessEnv): string[] => {
  const inPath = (env.PATH ?? '').split(delimiter).filter((directory) => directory !== '')
  return [...inPath, cacheDirectory(env)].map((directory) => join(directory, 'xray'))
}

/** The number in the first line of `xray version`: "Xray 26.3.27 (Xray, Penetrates Everything.) ...". */
export const parseXrayVersion = (output: string): string | null =>
  /^Xray (\d+\.\d+\.\d+)\b/.exec(output)?.[1] ?? null

export const isOlder = (version: string, than: string): boolean => {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number))
  for (const [index, part] of (left ?? []).entries()) {
    const difference = part - (right?.[index] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

export const judgeXrayVersion = (path: string, output: string): Located => {
  const version = parseXrayVersion(output)
  if (version === null) {
    return { state: 'refused', version, reason: `${path} does not answer like Xray. ${howToInstall}` }
  }
  if (isOlder(version, oldestXray)) {
    const reason = `Xray ${version} at ${path} is older than ${oldestXray}, the oldest that is known to work. ${howToInstall}`
    return { state: 'refused', version, reason }
  }
  return { state: 'found', path, version }
}

/** Xray from SALLYPORT_XRAY, the PATH, or where `npm run engines:install` puts it. */
export const locateXray = async (env: NodeJS.ProcessEnv): Promise<Located> => {
  const named = env.SALLYPORT_XRAY
  const path = named ? [named].find(isExecutable) : candidates(env).find(isExecutable)
  if (path === undefined) {
    const where = named ? `SALLYPORT_XRAY names ${named}, which cannot be executed` : 'Xray is not installed'
    return { state: 'missing', version: null, reason: `${where}. ${howToInstall}` }
  }
  try {
    const { stdout } = await run(path, ['version'], { timeout: 10_000 })
    return judgeXrayVersion(path, stdout)
  } catch {
    return { state: 'refused', version: null, reason: `${path} version does not run. ${howToInstall}` }
  }
}
