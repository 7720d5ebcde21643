import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LabProcess } from './lab-process.ts'
import type { Lab, ServerRole } from './namespaces.ts'

const cli = fileURLToPath(new URL('../../../apps/server/cli.ts', import.meta.url))

/** AmneziaWG keeps its sockets in one folder for the whole machine; servers of the lab have one each. */
const withOwnSockets = 'mkdir -p /run/amneziawg && mount --bind "$1" /run/amneziawg && shift && exec "$@"'

const inherited = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )

/** The agent as an operator runs it, `sallyport agent`, on a server of the lab. */
export class LabAgent {
  readonly #lab: Lab
  readonly #role: ServerRole
  readonly #env: Readonly<Record<string, string>>
  #process: LabProcess | undefined

  constructor(lab: Lab, role: ServerRole, env: Readonly<Record<string, string>>) {
    this.#lab = lab
    this.#role = role
    this.#env = env
  }

  /** Where this agent keeps its state; the same after a restart. */
  get directory(): string {
    return join(this.#lab.directory, `agent-${this.#role}`)
  }

  get output(): string {
    return this.#process ? this.#process.output + this.#process.errors : ''
  }

  start(): void {
    const sockets = join(this.#lab.directory, `amneziawg-${this.#role}`)
    mkdirSync(sockets, { recursive: true })
    const env = {
      ...inherited(),
      SALLYPORT_REPORT_INTERVAL_MS: '300',
      SALLYPORT_METER_INTERVAL_MS: '200',
      SALLYPORT_AGENT_DIR: this.directory,
      ...this.#env,
    }
    const command = ['-c', withOwnSockets, 'agent', sockets, process.execPath, cli, 'agent']
    this.#process = this.#lab.run(this.#lab.place(this.#role), '/bin/sh', command, { env })
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#process?.stop(signal)
  }
}
