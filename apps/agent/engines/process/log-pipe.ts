import { execFile } from 'node:child_process'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { promisify } from 'node:util'
import { removeFile } from '../../common/files.ts'

/** Far less than it takes to fill a pipe, and than anybody waits for a line. */
const lookEveryMs = 25
const roomBytes = 64 * 1024

/**
 * Lines of a program that writes one for every connection. It is looked into now and then: whoever is woken for each line
 * spends more on waking than on reading, and so does the program on the waking.
 */
export class LogPipe {
  readonly #reader: number
  readonly #room = Buffer.alloc(roomBytes)
  /** A piece may end within a character. */
  readonly #decoder = new StringDecoder('utf8')
  #writer: number | null
  #onLine: (line: string) => void = () => {}
  #rest = ''
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  private constructor(reader: number, writer: number) {
    this.#reader = reader
    this.#writer = writer
  }

  /** The path is taken for a moment only. Null where there is no mkfifo. */
  static async open(path: string): Promise<LogPipe | null> {
    await removeFile(path)
    try {
      await promisify(execFile)('mkfifo', ['-m', '600', path])
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
      return new LogPipe(reader, openSync(path, constants.O_WRONLY))
    } catch {
      return null
    } finally {
      await removeFile(path)
    }
  }

  /** For the program to inherit. */
  get writer(): number {
    if (this.#writer === null) throw new Error('The program has the other end already')
    return this.#writer
  }

  /** From when the program has its end. */
  follow(onLine: (line: string) => void): void {
    this.#onLine = onLine
    if (this.#writer !== null) closeSync(this.#writer)
    this.#writer = null
    this.#look()
  }

  /** Reads what is left of a program that has ended. */
  end(): void {
    if (this.#isOver) return
    clearTimeout(this.#timer)
    this.#readAll()
    this.#isOver = true
    closeSync(this.#reader)
    if (this.#rest !== '') this.#onLine(this.#rest)
  }

  #look(): void {
    if (this.#isOver) return
    this.#readAll()
    this.#timer = setTimeout(() => this.#look(), lookEveryMs)
  }

  #readAll(): void {
    for (let bytes = this.#readSome(); bytes > 0; bytes = this.#readSome()) {
      const lines = (this.#rest + this.#decoder.write(this.#room.subarray(0, bytes))).split('\n')
      this.#rest = lines.pop() ?? ''
      for (const line of lines) this.#onLine(line)
    }
  }

  #readSome(): number {
    try {
      return readSync(this.#reader, this.#room)
    } catch {
      // Nothing there at the moment.
      return 0
    }
  }
}
