import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { distributionOf } from './distribution.ts'
import { madeOnce } from './made-once.ts'
import { machineTree } from './tree.ts'

/** A mirror of the few packages that a service needs beside a bare system, for machines that reach no other. */

const run = promisify(execFile)
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
const packages = ['postgresql', 'postgresql-client', 'redis-server', 'nginx', 'certbot', 'pgbackrest']
const recipe = 2

/** As an archive of Debian lists it. */
const entryOf = async (folder: string, file: string): Promise<string> => {
  const { stdout } = await run('dpkg-deb', ['-f', join(folder, file)])
  const content = await readFile(join(folder, file))
  const sum = createHash('sha256').update(content).digest('hex')
  return `${stdout.trim()}\nFilename: ./${file}\nSize: ${content.length}\nSHA256: ${sum}\n`
}

/** What apt of this machine would install on that tree, which it does not touch. */
const download = async (folder: string, tree: string, release: string): Promise<void> => {
  const scratch = await mkdtemp(join(tmpdir(), 'sallyport-depot-'))
  try {
    for (const part of ['lists/partial', 'cache', 'none'])
      await mkdir(join(scratch, part), { recursive: true })
    const { mirror, keyring, components } = await distributionOf(release)
    const sources = join(scratch, 'sources.list')
    await writeFile(
      sources,
      `deb [signed-by=${join(tree, keyring)}] ${mirror} ${release} ${components.join(' ')}\n`,
    )
    const options = {
      'Dir::Etc::sourcelist': sources,
      'Dir::Etc::sourceparts': join(scratch, 'none'),
      'Dir::State::lists': join(scratch, 'lists'),
      'Dir::State::extended_states': join(scratch, 'extended_states'),
      'Dir::State::status': join(tree, 'var/lib/dpkg/status'),
      'Dir::Cache': join(scratch, 'cache'),
      'Dir::Cache::archives': folder,
      'Dir::Etc::preferencesparts': join(scratch, 'none'),
      'APT::Sandbox::User': 'root',
      'APT::Install-Recommends': '0',
      'Debug::NoLocking': '1',
    }
    const settings = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])
    await run('apt-get', [...settings, 'update', '-qq'], { maxBuffer: 64 * 1024 * 1024 })
    await run('apt-get', [...settings, 'install', '-qq', '-y', '--download-only', ...packages], {
      maxBuffer: 64 * 1024 * 1024,
    })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const make = async (folder: string, tree: string, release: string): Promise<void> => {
  await mkdir(join(folder, 'partial'), { recursive: true })
  await download(folder, tree, release)
  // A name of an archive with a colon is written otherwise in addresses.
  for (const name of await readdir(folder))
    if (name.includes('%')) await rename(join(folder, name), join(folder, name.replaceAll(/%\w\w/g, '_')))
  const files = (await readdir(folder)).filter((name) => name.endsWith('.deb')).toSorted()
  if (files.length === 0) throw new Error(`apt downloaded nothing for ${release}`)
  const entries = await Promise.all(files.map((file) => entryOf(folder, file)))
  await writeFile(join(folder, 'Packages'), entries.join('\n'))
}

/** The folder, to be served as `deb [trusted=yes] http://… ./`. */
export const packageDepot = async (release?: string): Promise<string> => {
  const tree = await machineTree(release)
  const key = createHash('sha256')
    .update(JSON.stringify([packages, recipe]))
    .digest('hex')
    .slice(0, 8)
  const name = `${basename(tree)}-${key}`
  return madeOnce(join(cache, 'sallyport', 'depots', name), (folder) =>
    make(folder, tree, basename(tree).split('-')[0] ?? ''),
  )
}
