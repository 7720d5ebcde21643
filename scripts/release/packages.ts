import { existsSync, readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'

/** The packages that a running service needs, by the lock file: what tests and builds need stays away. */

interface Entry {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly link?: boolean
  readonly resolved?: string
}

type Lock = Readonly<Record<string, Entry>>

/** The web app is built, and so is the agent that nodes get: neither is made anew where a release runs. */
export const workspaces = [
  'apps/server',
  'apps/agent',
  'apps/cli',
  'packages/contract',
  'packages/domain',
] as const
const builders = new Set(['rolldown', 'vite', 'node'])

/** As Node looks for it: beside the one who asks, then ever further out. */
const placeOf = (lock: Lock, from: string, name: string): string | null => {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const place = posix.join(folder === '.' ? '' : folder, 'node_modules', name)
    if (lock[place]) return place
    if (folder === '.' || folder === '') return null
  }
}

/** Folders of packages below the root, without those of the workspaces themselves. */
export const neededPackages = (lock: Lock): string[] => {
  const needed = new Set<string>()
  const visit = (from: string): void => {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = lock[from] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const place = builders.has(name) ? null : placeOf(lock, from, name)
      if (place === null || needed.has(place) || lock[place]?.link) continue
      needed.add(place)
      visit(place)
    }
  }
  for (const workspace of workspaces) visit(workspace)
  return [...needed].toSorted()
}

export const readLock = (root: string): Lock =>
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Lock }).packages

/** What is for people who read or debug a package; the words of its licence stay. */
const isLeftOut = (path: string): boolean =>
  /\.(map|d\.[cm]?ts|ts|flow|markdown)$/.test(path) ||
  (/\.md$/i.test(path) && !/licen[cs]e|notice|copying/i.test(basename(path)))

export const copyPackages = async (root: string, target: string): Promise<void> => {
  for (const place of neededPackages(readLock(root))) {
    const source = join(root, place)
    // An optional one for another platform.
    if (!existsSync(source)) continue
    const inner = join(source, 'node_modules')
    await cp(source, join(target, place), {
      recursive: true,
      filter: (path) => path !== inner && !isLeftOut(path),
    })
  }
}
