import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Releases that are like a made one but for a few files. */
export class ReleaseVariants {
  /** With the files that can be downloaded. */
  readonly folder: string
  readonly #original: string

  private constructor(folder: string, original: string) {
    this.folder = folder
    this.#original = original
  }

  static async of(archive: string): Promise<ReleaseVariants> {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-variants-'))
    await run('tar', ['-C', folder, '-xzf', archive])
    const { stdout } = await run('find', [folder, '-mindepth', '1', '-maxdepth', '1', '-type', 'd'])
    const original = stdout.trim()
    // Nobody enrols a node here.
    rmSync(join(original, 'engines'), { recursive: true, force: true })
    return new ReleaseVariants(folder, original)
  }

  /** The name of its file. Answers of its service carry its version in the header x-release. */
  async make(
    version: string,
    change: Readonly<Record<string, (text: string) => string>> = {},
  ): Promise<string> {
    const name = `sallyport-${version}`
    const target = join(this.folder, 'making', name)
    cpSync(this.#original, target, { recursive: true, verbatimSymlinks: true })
    const changes = {
      'release.json': (text: string) => JSON.stringify({ ...JSON.parse(text), version }),
      'apps/server/compose/http-server.ts': (text: string) =>
        text.replace("'x-content-type-options':", `'x-release': '${version}', 'x-content-type-options':`),
      ...change,
    }
    for (const [path, edit] of Object.entries(changes)) {
      const file = join(target, path)
      writeFileSync(file, edit(readOr(file)))
    }
    return this.#pack(name, version)
  }

  /** A file of that name with that content, and its checksum. */
  write(file: string, content: Buffer): string {
    mkdirSync(this.folder, { recursive: true })
    const sum = createHash('sha256').update(content).digest('hex')
    writeFileSync(join(this.folder, file), content)
    writeFileSync(join(this.folder, `${file}.sha256`), `${sum}  ${file}\n`)
    return file
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #pack(name: string, version: string): Promise<string> {
    const making = join(this.folder, 'making')
    const archive = join(making, 'release.tar.gz')
    await run('tar', ['-C', making, '--owner=0', '--group=0', '-I', 'gzip -1', '-cf', archive, name])
    const content = readFileSync(archive)
    rmSync(making, { recursive: true, force: true })
    return this.write(`sallyport-${version}-linux-${process.arch}.tar.gz`, content)
  }
}

const readOr = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
