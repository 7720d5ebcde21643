import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Port } from './turn.ts'
import { isVersion, type KeptRelease } from './versions.ts'

/** What lies in /opt/sallyport: the releases, which one is current, and which one each port starts. */

export interface Manifest {
  readonly version: string
  readonly arch: string
}

/** Undefined for a folder that is no release. */
export const readManifest = (folder: string): Manifest | undefined => {
  try {
    const { version, arch } = JSON.parse(
      readFileSync(join(folder, 'release.json'), 'utf8'),
    ) as Partial<Manifest>
    if (typeof version !== 'string' || typeof arch !== 'string' || !isVersion(version)) return undefined
    return { version, arch }
  } catch {
    return undefined
  }
}

/** A link that never leads nowhere, not even for a moment. */
const pointAt = (link: string, target: string): void => {
  mkdirSync(dirname(link), { recursive: true })
  const aside = `${link}.new`
  rmSync(aside, { force: true })
  symlinkSync(target, aside)
  renameSync(aside, link)
}

/** Its time says when the release began to serve last. */
const servedMark = '.served'

export class Releases {
  readonly #base: string

  constructor(base: string) {
    this.#base = base
  }

  get folder(): string {
    return join(this.#base, 'releases')
  }

  folderOf(version: string): string {
    return join(this.folder, version)
  }

  has(version: string): boolean {
    return isVersion(version) && readManifest(this.folderOf(version))?.version === version
  }

  list(): KeptRelease[] {
    const names = existsSync(this.folder) ? readdirSync(this.folder).filter((name) => this.has(name)) : []
    return names.map((version) => ({ version, servedAtMs: this.#servedAt(version) }))
  }

  /** Undefined where nothing is installed. */
  current(): string | undefined {
    return readManifest(join(this.#base, 'current'))?.version
  }

  /** What starts at that port. */
  at(port: Port): string | undefined {
    try {
      return basename(readlinkSync(this.#placeOf(port)))
    } catch {
      return undefined
    }
  }

  putAt(port: Port, version: string): void {
    pointAt(this.#placeOf(port), join('..', 'releases', version))
  }

  clear(port: Port): void {
    rmSync(this.#placeOf(port), { force: true })
  }

  makeCurrent(version: string): void {
    pointAt(join(this.#base, 'current'), join('releases', version))
  }

  markServed(version: string, sinceMs = Date.now()): void {
    const file = join(this.folderOf(version), servedMark)
    writeFileSync(file, '')
    utimesSync(file, sinceMs / 1000, sinceMs / 1000)
  }

  /** Out of sight first: a folder that is half removed has no name of a release. */
  remove(version: string): void {
    const aside = join(this.folder, `.old-${version}`)
    rmSync(aside, { recursive: true, force: true })
    renameSync(this.folderOf(version), aside)
    rmSync(aside, { recursive: true, force: true })
  }

  /** What was cut off while it was unpacked or removed. */
  removeLeftovers(): void {
    for (const name of readdirSync(this.folder)) {
      if (/^\.(new|old)-/.test(name)) rmSync(join(this.folder, name), { recursive: true, force: true })
    }
  }

  /** The one that serves has no mark when the installer has put it there. */
  #servedAt(version: string): number | undefined {
    const mark = statSync(join(this.folderOf(version), servedMark), { throwIfNoEntry: false })
    if (mark) return mark.mtimeMs
    return this.current() === version ? lstatSync(join(this.#base, 'current')).mtimeMs : undefined
  }

  #placeOf(port: Port): string {
    return join(this.#base, 'ports', String(port))
  }
}
