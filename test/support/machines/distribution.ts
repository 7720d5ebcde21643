import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { madeOnce } from './made-once.ts'

/** Where a system for machines comes from: Debian from the mirror of this machine, Ubuntu from its own archive. */

const run = promisify(execFile)
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')

export interface Distribution {
  readonly release: string
  readonly mirror: string
  readonly components: readonly string[]
  /** Of the keys that sign the archive, within a tree of it. */
  readonly keyring: string
  /** What debootstrap has to be told beside this. */
  readonly options: readonly string[]
  /** The script of debootstrap, where it may be older than the release. */
  readonly script: readonly string[]
}

const ubuntuReleases = new Set(['jammy', 'noble'])
const ubuntuMirror =
  process.arch === 'x64' ? 'http://archive.ubuntu.com/ubuntu' : 'http://ports.ubuntu.com/ubuntu-ports'

/** Debian has no package of these keys, so that they come from where the rest does, and are known by their sum. */
const ubuntuKeys = {
  file: 'ubuntu-keyring_2023.11.28.1_all.deb',
  sum: '36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8',
  path: 'usr/share/keyrings/ubuntu-archive-keyring.gpg',
}

const keysOfUbuntu = async (): Promise<string> => {
  const folder = await madeOnce(join(cache, 'sallyport', 'machines', 'ubuntu-keyring'), async (target) => {
    const url = `${ubuntuMirror}/pool/main/u/ubuntu-keyring/${ubuntuKeys.file}`
    const answer = await fetch(url)
    if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
    const content = Buffer.from(await answer.arrayBuffer())
    if (createHash('sha256').update(content).digest('hex') !== ubuntuKeys.sum)
      throw new Error(`${url} is not what it was`)
    await mkdir(target)
    const file = join(target, ubuntuKeys.file)
    await writeFile(file, content)
    await run('dpkg-deb', ['-x', file, target])
    await rm(file)
  })
  return join(folder, ubuntuKeys.path)
}

export const ownRelease = async (): Promise<string> => {
  const release = await readFile('/etc/os-release', 'utf8')
  const name = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1]
  if (!name) throw new Error('/etc/os-release does not name a release to make machines of')
  return name
}

/** Where this machine has its own packages from. */
const ownMirror = async (): Promise<string> => {
  const release = await ownRelease()
  const wanted = ['Created-By: Packages', 'Component: main', `Codename: ${release}`]
  const { stdout } = await run('apt-get', ['indextargets', '--format', '$(REPO_URI) $(RELEASE)', ...wanted])
  const uri = stdout
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, name]) => name === release)?.[0]
  if (!uri) throw new Error(`apt knows no mirror of ${release}; run apt-get update first`)
  return uri
}

export const distributionOf = async (release: string): Promise<Distribution> => {
  if (!ubuntuReleases.has(release)) {
    const keyring = 'usr/share/keyrings/debian-archive-keyring.gpg'
    return { release, mirror: await ownMirror(), components: ['main'], keyring, options: [], script: [] }
  }
  return {
    release,
    mirror: ubuntuMirror,
    components: ['main', 'universe'],
    keyring: ubuntuKeys.path,
    options: ['--components=main,universe', `--keyring=${await keysOfUbuntu()}`],
    script: ['/usr/share/debootstrap/scripts/gutsy'],
  }
}
