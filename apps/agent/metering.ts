import { join } from 'node:path'
import type { TrafficCounter } from '@sallyport/contract/agent/report'
import { readJson, writeFileAtomically } from './common/files.ts'
import type { EngineTraffic } from './engines/common/engine.ts'

/** The most that one report may carry. */
export const countersPerReport = 5000

interface Row {
  readonly up: number
  readonly down: number
  /** What the service has accepted of it. */
  readonly acknowledgedUp: number
  readonly acknowledgedDown: number
}

/** boot id -> access id -> counters */
type Ledger = Map<string, Map<string, Row>>

const isSettled = (row: Row): boolean => row.up === row.acknowledgedUp && row.down === row.acknowledgedDown

/**
 * Cumulative counters of every engine run that the service has not fully heard of. Values only grow, and a
 * report only repeats them, so lost and repeated reports change nothing.
 */
export class Meter {
  readonly #path: string
  #ledger: Ledger
  #unsaved = false
  #saving: Promise<void> = Promise.resolve()

  private constructor(path: string, ledger: Ledger) {
    this.#path = path
    this.#ledger = ledger
  }

  static async open(directory: string): Promise<Meter> {
    const path = join(directory, 'traffic.json')
    const stored = await readJson(path).catch(() => null)
    return new Meter(path, parseLedger(stored))
  }

  /** Takes the present counters of one run. */
  record({ bootId, users }: EngineTraffic): void {
    const run = this.#ledger.get(bootId) ?? new Map<string, Row>()
    this.#ledger.set(bootId, run)
    for (const { id, up, down } of users) {
      const row = run.get(id) ?? { up: 0, down: 0, acknowledgedUp: 0, acknowledgedDown: 0 }
      if (up <= row.up && down <= row.down) continue
      run.set(id, { ...row, up: Math.max(up, row.up), down: Math.max(down, row.down) })
      this.#unsaved = true
    }
  }

  /** The counters that the service does not know yet, the oldest runs first. */
  pending(): TrafficCounter[] {
    const counters: TrafficCounter[] = []
    for (const [bootId, run] of this.#ledger) {
      for (const [id, row] of run) {
        if (isSettled(row)) continue
        counters.push({ boot_id: bootId, id, up: row.up, down: row.down })
        if (counters.length === countersPerReport) return counters
      }
    }
    return counters
  }

  /** The service has accepted a report with these counters. */
  acknowledge(counters: readonly TrafficCounter[], liveBootIds: ReadonlySet<string>): void {
    for (const { boot_id, id, up, down } of counters) {
      const run = this.#ledger.get(boot_id)
      const row = run?.get(id)
      if (!run || !row) continue
      // Behind the others: where more move than a report holds, everybody's turn comes.
      run.delete(id)
      run.set(id, { ...row, acknowledgedUp: up, acknowledgedDown: down })
    }
    for (const [bootId, run] of this.#ledger) {
      const isOver = !liveBootIds.has(bootId)
      if (isOver && run.values().every(isSettled)) this.#ledger.delete(bootId)
    }
    this.#unsaved ||= counters.length > 0
  }

  /** Puts the counters on disk when they have changed; one call after another, since all write one file. */
  save(): Promise<void> {
    const saved = this.#saving.then(() => this.#save())
    this.#saving = saved.catch(() => {})
    return saved
  }

  async #save(): Promise<void> {
    if (!this.#unsaved) return
    this.#unsaved = false
    const plain = Object.fromEntries(
      [...this.#ledger].map(([bootId, run]) => [bootId, Object.fromEntries(run)]),
    )
    await writeFileAtomically(this.#path, JSON.stringify(plain)).catch((error) => {
      this.#unsaved = true
      throw error
    })
  }
}

const isRow = (value: unknown): value is Row => {
  const row = (value ?? {}) as Partial<Row>
  return [row.up, row.down, row.acknowledgedUp, row.acknowledgedDown].every(Number.isSafeInteger)
}

const parseLedger = (stored: unknown): Ledger => {
  const runs = Object.entries((stored ?? {}) as Record<string, object>)
  return new Map(
    runs.map(([bootId, run]) => [bootId, new Map(Object.entries(run).filter((entry) => isRow(entry[1])))]),
  )
}
