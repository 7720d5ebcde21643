import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Place } from '../../e2e/support/lab/namespaces.ts'
import type { Copied, Order, Reply, Visited, Way } from './contracts.ts'

const program = fileURLToPath(new URL('./programs/loader.ts', import.meta.url))
const patienceMs = 60_000

/** A customer's program that stays, so that starting it is no part of what is measured. */
export class Loader {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  #errors = ''

  private constructor(place: Place, way: Way) {
    const command = ['netns', 'exec', place.namespace, process.execPath, program, JSON.stringify(way)]
    const child = spawn('ip', command, { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child = child
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    child.stderr.on('data', (text) => {
      this.#errors += text
    })
  }

  static async start(place: Place, way: Way): Promise<Loader> {
    const loader = new Loader(place, way)
    await loader.#next()
    return loader
  }

  async copy(kind: 'down' | 'up', bytes: number): Promise<number> {
    return (await this.#ask<Copied>({ kind, bytes })).seconds
  }

  visits(seconds: number, together: number): Promise<Visited> {
    return this.#ask<Visited>({ kind: 'visits', seconds, together })
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }

  async #ask<T>(order: Order): Promise<T> {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`)
    const reply = JSON.parse(await this.#next()) as Reply<T>
    if ('failed' in reply) throw new Error(reply.failed)
    return reply.done
  }

  async #next(): Promise<string> {
    const timer = setTimeout(() => this.stop(), patienceMs)
    const { value, done } = await this.#lines.next()
    clearTimeout(timer)
    if (done) throw new Error(`The loader ended: ${this.#errors.slice(-500)}`)
    return value
  }
}
