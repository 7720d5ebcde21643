import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Encoding } from '@sallyport/domain/delivery/encoding'
import { etagOf } from '@sallyport/domain/delivery/etag'
import type { Language } from '@sallyport/domain/text/language'

/** A web app as it was built, once a language: its files, and which of them a screen needs. */

/** A row of Vite's manifest, which names chunks by the sources they begin with. */
interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
  /** Files that it names itself. */
  readonly assets?: readonly string[]
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
  /** Styles that a module asks for by itself. */
  readonly laterStyles: readonly string[]
}

/** Where an app begins, as its sources are called. */
export interface Sources {
  readonly entry: string
  /** Loaded beside every screen but the first ones. */
  readonly more?: string
  readonly firstScreens?: readonly string[]
  /** What else begins a file. */
  readonly others?: readonly string[]
  readonly screen: (name: string) => string
}

/** Made of everything that no part loads by itself. */
const style = 'style.css'

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

const filesIn = (folder: string): [name: string, file: BuiltFile][] =>
  readdirSync(join(folder, 'assets'))
    .filter((name) => !/\.(br|gz|map)$/.test(name))
    .map((name) => [`assets/${name}`, readBuilt(join(folder, 'assets', name))])

/** The chunk and all that it imports, in that order. */
const withImports = (manifest: Manifest, name: string, found = new Set<Chunk>()): Set<Chunk> => {
  const chunk = manifest[name]
  if (!chunk || found.has(chunk)) return found
  found.add(chunk)
  for (const other of chunk.imports ?? []) withImports(manifest, other, found)
  return found
}

export class WebBuild {
  readonly files = new Map<string, BuiltFile>()
  readonly #sources: Sources
  readonly #manifests: Readonly<Record<Language, Manifest>>

  /** Reads the whole folder; throws where there is no whole build. */
  constructor(folder: string, sources: Sources) {
    this.#sources = sources
    const read = (language: Language): Manifest => this.#read(join(folder, language))
    this.#manifests = { ru: read('ru'), en: read('en') }
  }

  /** The file that a source begins. */
  file(source: string, language: Language): BuiltFile {
    const { file } = this.#manifests[language][source] as Chunk
    return this.files.get(file) as BuiltFile
  }

  /** Everything that is loaded before the screen is shown, so that all of it can be asked for at once. */
  needed(screen: string, language: Language): Needed {
    const { entry: first, more, firstScreens = [], screen: sourceOf } = this.#sources
    const manifest = this.#manifests[language]
    const chunks = withImports(manifest, sourceOf(screen), withImports(manifest, first))
    if (more !== undefined && !firstScreens.includes(screen)) withImports(manifest, more, chunks)
    const [entry, ...modules] = [...chunks].map(({ file }) => file)
    const named = [...chunks].flatMap(({ assets }) => assets ?? [])
    const shared = manifest[style]
    const styles = [...(shared ? [shared.file] : []), ...[...chunks].flatMap(({ css }) => css ?? [])]
    const laterStyles = named.filter((file) => file.endsWith('.css'))
    return { entry: entry as string, styles: [...new Set(styles)], modules, laterStyles }
  }

  #read(folder: string): Manifest {
    const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
    // What no text stands in is the same file in both languages, by name and by content.
    for (const [name, file] of filesIn(folder)) this.files.set(name, file)
    const lost = Object.values(manifest).find(({ file }) => !this.files.has(file))
    if (lost) throw new Error(`${lost.file} is not in ${folder}`)
    const { entry, others = [] } = this.#sources
    const absent = [entry, ...others].find((source) => !manifest[source])
    if (absent) throw new Error(`nothing in ${folder} begins with ${absent}`)
    return manifest
  }
}
