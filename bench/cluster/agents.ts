import { SimulatedAgent } from '../metering/agents.ts'
import type { Metered } from '../metering/seed.ts'
import { until } from './parts/program.ts'
import { quantile } from './traffic/timeline.ts'

/** The agents of all nodes, which report through the balancer and wait there for changes. */

/** Of the accesses, in 15 s. */
const usualActivity = 0.03

/** Who has reported goes on counting from there, whatever runs next on the same database. */
const known = new WeakMap<Metered, readonly SimulatedAgent[]>()

const agentsOf = (metered: Metered): readonly SimulatedAgent[] => {
  const agents = known.get(metered) ?? metered.nodes.map((node) => new SimulatedAgent(node, []))
  known.set(metered, agents)
  return agents
}

export class Agents {
  readonly all: readonly SimulatedAgent[]
  readonly #port: number
  readonly #stop = new AbortController()
  readonly #reportMs: number[] = []
  readonly #statuses = new Map<number, number>()
  #running: Promise<unknown> = Promise.resolve()
  #isResting = false
  isCut = false
  #isCalm = false

  constructor(port: number, metered: Metered) {
    this.#port = port
    this.all = agentsOf(metered)
  }

  start(active = usualActivity): void {
    const drive = {
      port: this.#port,
      active,
      isOver: () => this.#isResting,
      stop: this.#stop.signal,
      isCut: () => this.isCut,
      isCalm: () => this.#isCalm,
      onReport: (status: number, milliseconds: number) => {
        this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
        if (status === 200) this.#reportMs.push(milliseconds)
      },
      onCrossing: () => undefined,
      onRemoved: () => undefined,
    }
    this.#running = Promise.all(this.all.map((agent) => agent.run(drive, [])))
  }

  get summary(): string {
    const counts = [...this.#statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
    return `reports ${counts}; p99 ${quantile(this.#reportMs, 0.99).toFixed(0)} ms`
  }

  /** Nobody moves while it is looked at what was counted, all of which has been heard. */
  async calm<T>(look: () => Promise<T>): Promise<T> {
    this.#isCalm = true
    try {
      await this.untilHeard()
      return await look()
    } finally {
      this.#isCalm = false
    }
  }

  /** Nodes that were silent for a while sell nothing. */
  async untilReported(): Promise<void> {
    await until('agents to report', () => (this.#statuses.get(200) ?? 0) >= this.all.length, 60)
  }

  async untilHeard(withinSeconds = 180): Promise<void> {
    const isHeard = () => this.all.every((agent) => agent.isHeard)
    await until('agents to be heard', isHeard, withinSeconds).catch((error: Error) => {
      const silent = this.all.filter((agent) => !agent.isHeard).length
      throw new Error(`${error.message}; ${silent} of ${this.all.length} are not: ${this.summary}`)
    })
  }

  async stop(): Promise<void> {
    this.#isResting = true
    this.#stop.abort()
    await this.#running
  }
}
