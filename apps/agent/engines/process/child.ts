import { type ChildProcess, execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { sleep } from '../../common/backoff.ts'

const run = promisify(execFile)

/** One listener for all: there may be hundreds of children, and none may outlive an agent that exits. */
const living = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})

const longestFailure = 600

/** One run of a customer's program, from spawn to exit. */
export class Child {
  /** Resolves with why it ended, in words fit for a report. */
  readonly exited: Promise<string>
  readonly #process: ChildProcess
  #failure = ''

  /** Only lines that `isFailure` knows are ever kept: others may name customers' addresses and targets. */
  constructor(process: ChildProcess, isFailure: RegExp, input = '') {
    this.#process = process
    living.add(process)
    this.exited = this.#waitForExit()
    process.stdin?.on('error', () => {})
    process.stdin?.end(input)
    for (const stream of [process.stdout, process.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        if (this.#failure === '' && isFailure.test(line)) this.#failure = line.slice(0, longestFailure)
      })
    }
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** At once and for good: these programs have nothing to save, and their connections must end. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.exited
  }

  async #waitForExit(): Promise<string> {
    const reason = await new Promise<string>((resolve) => {
      this.#process.once('error', (error) => resolve(error.message))
      this.#process.once('close', (code, signal) =>
        resolve(signal ? `killed by ${signal}` : `exit code ${code}`),
      )
    })
    living.delete(this.#process)
    return this.#failure === '' ? reason : `${reason}: ${this.#failure}`
  }
}

/** Runs at most `most` pieces of work at once; the others wait in line. */
export const limited = (most: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}

const withEnvironment = async (): Promise<{ pid: number; text: string }[]> => {
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
    const texts = pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''))
    return (await Promise.all(texts)).map((text, index) => ({ pid: pids[index] as number, text }))
  }
  const { stdout } = await run('ps', ['axeww', '-o', 'pid=,command='], { maxBuffer: 64 * 1024 * 1024 })
  return stdout.split('\n').map((text) => ({ pid: Number.parseInt(text, 10), text }))
}

/** A container has its own process ids, and may hold an agent whose directory has the same name as ours. */
const isOnThisMachine = async (pid: number): Promise<boolean> => {
  const namespaces = [pid, 'self'].map((name) => readlink(`/proc/${name}/ns/pid`).catch(() => null))
  const [theirs, ours] = await Promise.all(namespaces)
  return theirs === ours
}

/** Processes that were started with this in their environment, and no others. */
export const pidsMarked = async (marker: string): Promise<number[]> => {
  const marked = (await withEnvironment()).filter(({ text }) => text.includes(marker))
  const pids = marked.map(({ pid }) => pid).filter((pid) => pid > 1 && pid !== process.pid)
  const isOurs = await Promise.all(pids.map(isOnThisMachine))
  return pids.filter((_, index) => isOurs[index])
}

/** Ends what an earlier agent left behind: it holds the ports, and nobody counts its traffic any more. */
export const endMarked = async (marker: string): Promise<void> => {
  for (let tries = 0; tries < 50; tries += 1) {
    const pids = await pidsMarked(marker)
    if (pids.length === 0) return
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended by itself in between.
      }
    }
    await sleep(100)
  }
}
