import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../common/files.ts'
import { requestReboot } from './reboot.ts'
import { machineUptimeSeconds } from './uptime.ts'

/** The service wishes this machine to be started anew, where nobody else can do it. Each wish is followed once. */

const keptFile = (stateDir: string): string => join(stateDir, 'restart-wish')

/** Clocks of the service and the machine differ a little. */
const slackSeconds = 5

interface Restarting {
  readonly stateDir: string
  readonly log: (message: string) => void
  readonly nowSeconds?: () => number
  readonly uptimeSeconds?: () => Promise<number>
  readonly request?: (stateDir: string) => Promise<boolean>
}

const wallClock = (): number => Math.floor(Date.now() / 1000)

export class Restarts {
  readonly #at: Required<Restarting>

  constructor(at: Restarting) {
    this.#at = { nowSeconds: wallClock, uptimeSeconds: machineUptimeSeconds, request: requestReboot, ...at }
  }

  /** Written down before it is done, or a machine that comes back would be sent off again. */
  async follow(askedAt: number | null | undefined): Promise<void> {
    const { stateDir, log, nowSeconds, uptimeSeconds, request } = this.#at
    if (askedAt === null || askedAt === undefined) return
    const file = keptFile(stateDir)
    if ((await readFile(file, 'utf8').catch(() => '')) === String(askedAt)) return
    await writeFileAtomically(file, String(askedAt))
    const bootedAt = nowSeconds() - (await uptimeSeconds())
    if (bootedAt >= askedAt - slackSeconds) return
    log('the service asks for this machine to be started anew')
    if (!(await request(stateDir))) log('it cannot be: this agent was not installed by the installer')
  }
}
