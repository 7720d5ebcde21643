import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { madeOnce } from './made-once.ts'

/** A release of the sources as they are, made once for as long as these stay the same. */

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sallyport', 'releases')
const parts = ['package-lock.json', 'package.json', 'apps', 'packages', 'bin', 'deploy', 'scripts']
const keptMs = 2 * 86_400_000

const isSource = (path: string): boolean => !/(^|\/)(dist|node_modules)(\/|$)|\.test\.tsx?$/.test(path)

const filesOf = (part: string): string[] => {
  if (statSync(join(root, part)).isFile()) return [part]
  return readdirSync(join(root, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(isSource)
    .toSorted()
}

const stateOfSources = (): string => {
  const sum = createHash('sha256')
  for (const file of parts.flatMap(filesOf)) sum.update(`${file}\0`).update(readFileSync(join(root, file)))
  return sum.digest('hex').slice(0, 16)
}

const forgetOld = async (kept: string): Promise<void> => {
  for (const name of await readdir(cache)) {
    const { mtimeMs } = await stat(join(cache, name))
    if (join(cache, name) !== kept && Date.now() - mtimeMs > keptMs)
      await rm(join(cache, name), { recursive: true, force: true })
  }
}

/** The folder with the tarball and its checksum, and the name of the tarball. */
export const madeRelease = async (version = '0.1.0'): Promise<{ folder: string; file: string }> => {
  await mkdir(cache, { recursive: true })
  const folder = await madeOnce(join(cache, `${version}-${stateOfSources()}`), async (target) => {
    await promisify(execFile)(
      process.execPath,
      [join(root, 'scripts/run.mjs'), 'release', '--out', target, '--version', version],
      { cwd: root, maxBuffer: 16 * 1024 * 1024 },
    )
  })
  await forgetOld(folder)
  return { folder, file: `sallyport-${version}-linux-${process.arch}.tar.gz` }
}
