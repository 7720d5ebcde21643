import { setTimeout as sleep } from 'node:timers/promises'
import { writeBackupStatus } from '../../../apps/server/local/backup-status.ts'
import type { Cluster } from '../cluster.ts'
import { Prometheus } from '../parts/prometheus.ts'

/** Which alerts were there from when until when. */

export interface Spell {
  readonly name: string
  readonly about: string
  readonly pendingMs: number
  firingMs?: number
  overMs?: number
}

const lookEveryMs = 500

export const nowSeconds = (): number => Math.floor(Date.now() / 1000)

export const dataFolder = ({ folder }: Cluster, port: number): string => folder.of(`instance-${port}`)

/** As if a backup of the database had ended so many seconds ago. Without one the rules have every reason to complain. */
export const noteBackup = (cluster: Cluster, secondsAgo = 0): void => {
  const status = {
    finished_at: nowSeconds() - secondsAgo,
    kind: 'full',
    ok: true,
    bytes: 1,
    repository: 'cluster',
  } as const
  for (const { port } of cluster.instances) writeBackupStatus(dataFolder(cluster, port), status)
}

export class AlertWatch {
  readonly #prometheus: Prometheus
  readonly #spells: Spell[] = []
  readonly #watching: Promise<void>
  #isOver = false

  private constructor(prometheus: Prometheus) {
    this.#prometheus = prometheus
    this.#watching = this.#watch()
  }

  /** Instances run already. */
  static async start(cluster: Cluster): Promise<AlertWatch> {
    noteBackup(cluster)
    const ports = cluster.instances.map(({ port }) => port)
    return new AlertWatch(await Prometheus.start(cluster.folder, ports))
  }

  get firing(): Spell[] {
    return this.#spells.filter(({ firingMs, overMs }) => firingMs !== undefined && overMs === undefined)
  }

  /** Those that were firing at some time since then. */
  firedSince(fromMs: number): Spell[] {
    return this.#spells.filter(
      ({ firingMs, overMs = Number.POSITIVE_INFINITY }) => firingMs !== undefined && overMs > fromMs,
    )
  }

  /** In words: after the fault began, and after it ended. */
  told(beganMs: number, endedMs: number): string {
    const seconds = (ms: number) => `${Math.max(0, ms / 1000).toFixed(0)} s`
    const lines = this.firedSince(beganMs).map(({ name, about, firingMs = beganMs, overMs }) => {
      const first = `${name}${about && ` (${about})`} firing after ${seconds(firingMs - beganMs)}`
      if (overMs === undefined) return `${first}, still there`
      return `${first}, resolved ${overMs < endedMs ? 'before it ended' : `${seconds(overMs - endedMs)} after it ended`}`
    })
    return lines.join('; ') || 'none'
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#watching
    await this.#prometheus.stop()
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      const alerts = await this.#prometheus.alerts().catch(() => undefined)
      if (alerts) this.#note(alerts)
      await sleep(lookEveryMs)
    }
  }

  #note(alerts: Awaited<ReturnType<Prometheus['alerts']>>): void {
    const nowMs = performance.now()
    const open = this.#spells.filter(({ overMs }) => overMs === undefined)
    for (const spell of open) {
      const now = alerts.find(({ name, about }) => name === spell.name && about === spell.about)
      if (!now) spell.overMs = nowMs
      else if (now.state === 'firing') spell.firingMs ??= nowMs
    }
    for (const { name, about, state } of alerts) {
      if (open.some((spell) => spell.name === name && spell.about === about)) continue
      this.#spells.push({ name, about, pendingMs: nowMs, ...(state === 'firing' && { firingMs: nowMs }) })
    }
  }
}
