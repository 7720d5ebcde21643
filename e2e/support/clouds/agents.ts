import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Boot, CloudMachine } from '../../../test/support/clouds/machines.ts'
import { emptyReport, signNodeToken } from '../../../test/support/node.ts'
import { call } from '../call.ts'

/** The agents of machines at providers: each becomes its node with what its machine was told, and says that it lives. */

interface Agent {
  readonly token: string
  /** Of its machine, the same for every one of an order. */
  readonly name: string
  readonly key: KeyObject
  nodeId: number | undefined
  bootedAt: number
  isOn: boolean
}

interface World {
  readonly urlOf: () => Promise<string>
  /** Seconds, as the service has them. */
  readonly now: () => number
}

const everyMs = 1500
const patienceMs = 5000

const tokenIn = (userData: string): string => /SALLYPORT_ENROL_TOKEN='([^']+)'/.exec(userData)?.[1] ?? ''

const engines = ['xray', 'amneziawg', 'mtg'].map((name) => ({
  name,
  state: 'running',
  version: '26.3.27',
  detail: null,
}))

export class Agents implements Boot {
  readonly #world: World
  readonly #agents = new Map<number, Agent>()
  readonly #lives = new Set<Promise<void>>()
  #count = 0
  #isOver = false
  /** Told of every machine that has just become its node. */
  onEnrolled: () => void = () => undefined
  enrolled = 0
  /** Machines that were made while another of the same order was there. */
  doubles = 0

  constructor(world: World) {
    this.#world = world
  }

  async create({ id, name, userData }: CloudMachine): Promise<{ address: string }> {
    const { privateKey: key } = generateKeyPairSync('ed25519')
    if ([...this.#agents.values()].some((other) => other.name === name)) this.doubles++
    const agent = {
      token: tokenIn(userData),
      name,
      key,
      nodeId: undefined,
      bootedAt: this.#world.now(),
      isOn: true,
    }
    this.#agents.set(id, agent)
    const life = this.#live(id, agent).then(() => void this.#lives.delete(life))
    this.#lives.add(life)
    this.#count++
    return { address: `198.18.${this.#count >> 8}.${this.#count & 255}` }
  }

  async reboot(id: number): Promise<void> {
    const agent = this.#agents.get(id)
    if (agent) agent.bootedAt = this.#world.now()
  }

  async powerOff(id: number): Promise<void> {
    const agent = this.#agents.get(id)
    if (agent) agent.isOn = false
  }

  async powerOn(id: number): Promise<void> {
    const agent = this.#agents.get(id)
    if (agent) Object.assign(agent, { isOn: true, bootedAt: this.#world.now() })
  }

  async destroy(id: number): Promise<void> {
    this.#agents.delete(id)
  }

  /** Every one says what it has to say, now. */
  async speak(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => this.#speak(agent)))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#lives)
  }

  async #live(id: number, agent: Agent): Promise<void> {
    while (!this.#isOver && this.#agents.get(id) === agent) {
      await this.#speak(agent)
      await sleep(everyMs)
    }
  }

  async #speak(agent: Agent): Promise<void> {
    if (!agent.isOn) return
    try {
      const url = await this.#world.urlOf()
      if (agent.nodeId === undefined) await this.#enrol(url, agent)
      if (agent.nodeId !== undefined) await this.#report(url, agent, agent.nodeId)
    } catch {
      // Nobody answers; it says so again in a moment.
    }
  }

  async #enrol(url: string, agent: Agent): Promise<void> {
    const { x } = agent.key.export({ format: 'jwk' })
    const body = { token: agent.token, public_key: x }
    const answer = await call(url, 'POST', '/agent/v1/enrol', { body, patienceMs })
    if (answer.body.status !== true) return
    agent.nodeId = answer.body.data.node_id
    this.enrolled++
    this.onEnrolled()
  }

  async #report(url: string, agent: Agent, nodeId: number): Promise<void> {
    const uptime_seconds = Math.max(0, this.#world.now() - agent.bootedAt)
    const body = { ...emptyReport, engines, host: { ...emptyReport.host, uptime_seconds } }
    const token = await signNodeToken(nodeId, agent.key)
    await call(url, 'POST', '/agent/v1/report', { token, body, patienceMs })
  }
}
