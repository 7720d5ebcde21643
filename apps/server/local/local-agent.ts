import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '../ports/log.ts'

const agentMain = fileURLToPath(new URL('../../agent/main.ts', import.meta.url))
const restartAfterMs = 2000
const patienceMs = 5000

export interface LocalAgentOptions {
  readonly dataDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly log: Log
}

/**
 * The node agent of this machine, run beside the service and again should it end. It talks to a server of
 * its own on loopback, so that it can start while the database opens, and the public one can wait for it.
 */
export class LocalAgent {
  readonly #options: LocalAgentOptions
  readonly #directory: string
  readonly #httpServer: Server
  readonly #ready = Promise.withResolvers<RequestListener>()
  #child: ChildProcess | undefined
  #enrolmentToken: string | undefined
  #isStopping = false

  private constructor(options: LocalAgentOptions) {
    this.#options = options
    this.#directory = join(options.dataDir, 'agent')
    // Requests wait here until the service can answer them.
    this.#httpServer = createServer((request, response) => {
      void this.#ready.promise.then((answer) => answer(request, response))
    })
  }

  /** Opens the server; an agent that has an identity is started at once. */
  static async open(options: LocalAgentOptions): Promise<LocalAgent> {
    const agent = new LocalAgent(options)
    await new Promise<void>((resolve) => agent.#httpServer.listen(0, '127.0.0.1', resolve))
    if (existsSync(join(agent.#directory, 'identity.json'))) agent.#start()
    return agent
  }

  /** Lets the agent in. A node that has no key yet needs an agent with a token. */
  async serve(answer: RequestListener, node: { isEnrolled: boolean; enrolmentToken: string }): Promise<void> {
    this.#enrolmentToken = node.enrolmentToken
    this.#ready.resolve(answer)
    if (this.#child && !node.isEnrolled) await this.#end()
    if (!this.#child) this.#start()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#end()
    this.#httpServer.close()
    this.#httpServer.closeAllConnections()
  }

  #start(): void {
    const { port } = this.#httpServer.address() as AddressInfo
    const child = fork(agentMain, [], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        ...this.#options.env,
        SALLYPORT_URL: `http://127.0.0.1:${port}`,
        SALLYPORT_AGENT_DIR: this.#directory,
        SALLYPORT_ENROL_TOKEN: this.#enrolmentToken,
      },
    })
    this.#child = child
    child.once('exit', (code) => {
      if (this.#child !== child) return
      this.#child = undefined
      this.#options.log.warn({ code }, 'the local agent ended; it is started again')
      setTimeout(() => this.#isStopping || this.#child || this.#start(), restartAfterMs).unref()
    })
  }

  async #end(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    const killer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    await ended
    clearTimeout(killer)
  }
}
