import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Encoding } from '@sallyport/domain/delivery/encoding'
import { etagOf } from '@sallyport/domain/delivery/etag'
import type { Language } from '@sallyport/domain/text/language'

/** The web app as it was built: its files, and which of them a screen needs. */

/** A row of Vite's manifest, which names chunks by the sources they begin with. */
interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

type Manifest = Readonly<Record<string, Chunk>>

export interface BuiltFile {
  readonly type: string
  readonly etag: string
  readonly bodies: Readonly<Record<Encoding | 'identity', Buffer | undefined>>
}

export interface Needed {
  readonly entry: string
  readonly styles: readonly string[]
  /** Modules besides the entry. */
  readonly modules: readonly string[]
}

const sources = {
  entry: 'cabinet/main.tsx',
  /** The one style, where Vite is told not to split it. */
  style: 'style.css',
  worker: 'cabinet/sw.ts',
  screen: (name: string) => `cabinet/screens/${name}.tsx`,
  words: (language: Language) => `cabinet/words/${language}.ts`,
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const readIfThere = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

const readBuilt = (path: string): BuiltFile => {
  const identity = readFileSync(path)
  const bodies = { identity, br: readIfThere(`${path}.br`), gzip: readIfThere(`${path}.gz`) }
  return { type: types[extname(path)] ?? 'application/octet-stream', etag: etagOf(identity), bodies }
}

const filesIn = (folder: string): Map<string, BuiltFile> => {
  const names = readdirSync(join(folder, 'assets')).filter((name) => !/\.(br|gz|map)$/.test(name))
  return new Map(names.map((name) => [`assets/${name}`, readBuilt(join(folder, 'assets', name))]))
}

export class CabinetBuild {
  readonly files: ReadonlyMap<string, BuiltFile>
  readonly #manifest: Manifest

  /** Reads the whole folder; throws where there is no whole build. */
  constructor(folder: string) {
    this.#manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
    this.files = filesIn(folder)
    const lost = Object.values(this.#manifest).find(({ file }) => !this.files.has(file))
    if (lost) throw new Error(`${lost.file} is not in the build`)
    if (!this.#manifest[sources.entry]) throw new Error(`nothing in the build begins with ${sources.entry}`)
  }

  get worker(): BuiltFile | undefined {
    const chunk = this.#manifest[sources.worker]
    return chunk && this.files.get(chunk.file)
  }

  /** Everything that is loaded before the screen is shown, so that all of it can be asked for at once. */
  needed(screen: string, language: Language): Needed {
    const chunks = [sources.entry, sources.screen(screen), sources.words(language)].reduce(
      (found, name) => this.#withImports(name, found),
      new Set<Chunk>(),
    )
    const style = this.#manifest[sources.style]
    const styles = [...(style ? [style.file] : []), ...[...chunks].flatMap(({ css }) => css ?? [])]
    const entry = this.#manifest[sources.entry] as Chunk
    chunks.delete(entry)
    return {
      entry: entry.file,
      styles: [...new Set(styles)],
      modules: [...chunks].map(({ file }) => file),
    }
  }

  #withImports(name: string, found: Set<Chunk>): Set<Chunk> {
    const chunk = this.#manifest[name]
    if (!chunk || found.has(chunk)) return found
    found.add(chunk)
    for (const other of chunk.imports ?? []) this.#withImports(other, found)
    return found
  }
}
