import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** A file that is handed out: known by the hash of what it is, kept compressed. */
export interface Stored {
  readonly sha256: string
  readonly bytes: number
  readonly path: string
  readonly compressedBytes: number
}

interface Known {
  readonly sha256: string
  readonly bytes: number
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const dayMs = 86_400_000
const keptDays = 30

/** Compressed files in a folder that processes share: each appears whole or not at all, whoever makes it. */
export class FileCache {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  /** A file that has not changed since it was last seen is not read again. */
  async keepFile(path: string): Promise<Stored> {
    const { size, mtimeMs, ino } = await stat(path)
    const note = join(this.#directory, `${sha256(JSON.stringify([path, size, mtimeMs, ino]))}.json`)
    const known = await readFile(note, 'utf8').then(
      (text) => JSON.parse(text) as Known,
      () => null,
    )
    const kept = known && (await this.#find(known))
    if (kept) return kept
    const stored = await this.#store(createReadStream(path))
    await this.#appear(note, (file) => writeFile(file, JSON.stringify(stored)))
    return stored
  }

  async keepText(text: string): Promise<Stored> {
    const known = { sha256: sha256(text), bytes: Buffer.byteLength(text) }
    return (await this.#find(known)) ?? this.#store(Readable.from([Buffer.from(text)]))
  }

  /** Takes away what has not been used for a month, and what was begun and left. */
  async tidy(nowMs: number): Promise<void> {
    for (const name of await readdir(this.#directory)) {
      const path = join(this.#directory, name)
      const ageMs = nowMs - (await stat(path).catch(() => ({ mtimeMs: nowMs }))).mtimeMs
      if (ageMs > (name.startsWith('.') ? dayMs : keptDays * dayMs)) await rm(path, { force: true })
    }
  }

  async #find({ sha256, bytes }: Known): Promise<Stored | null> {
    const path = this.#pathOf(sha256)
    const found = await stat(path).catch(() => null)
    if (!found) return null
    const now = new Date()
    await utimes(path, now, now).catch(() => {})
    return { sha256, bytes, path, compressedBytes: found.size }
  }

  async #store(source: Readable): Promise<Stored> {
    const hash = createHash('sha256')
    let bytes = 0
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        bytes += chunk.length
        done(null, chunk)
      },
    })
    let path = ''
    await this.#appear(
      () => path,
      async (file) => {
        await pipeline(source, count, createGzip(), createWriteStream(file))
        path = this.#pathOf(hash.digest('hex'))
      },
    )
    const stored = path.slice(this.#directory.length + 1, -'.gz'.length)
    return { sha256: stored, bytes, path, compressedBytes: (await stat(path)).size }
  }

  #pathOf(sha256: string): string {
    return join(this.#directory, `${sha256}.gz`)
  }

  /** Written beside its place and on the disk before it is put there. */
  async #appear(path: string | (() => string), write: (file: string) => Promise<void>): Promise<void> {
    await mkdir(this.#directory, { recursive: true })
    const file = join(this.#directory, `.${process.pid}-${randomBytes(6).toString('hex')}`)
    try {
      await write(file)
      const written = await open(file, 'r')
      await written.sync().finally(() => written.close())
      await rename(file, typeof path === 'string' ? path : path())
    } finally {
      await rm(file, { force: true })
    }
  }
}
