import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TrafficCounter } from '@sallyport/contract/agent/report'
import { emptyReport, signNodeToken } from '../../test/support/node.ts'
import { seededRandom } from '../../test/support/random.ts'
import { call, demand } from './call.ts'

/** Nodes that run nothing: servers are sold only while their node is alive, and options count what it says. */

interface Node {
  readonly id: number
  readonly serverId: number
  readonly key: KeyObject
  run: number
  /** Of every run, as they were last put into a report. */
  readonly counters: Map<string, TrafficCounter>
  /** The same, as they were when a report was last acknowledged. */
  known: ReadonlyMap<string, TrafficCounter>
  before: object | undefined
}

/** An access that customers were told of. */
export interface ToldAccess {
  readonly id: number
  readonly server_id: number
}

export interface SoldOption {
  readonly id: number
  readonly tariffId: number
}

const reportsEach = 3
const spreadMs = 80
const shareOfRestarts = 0.05
const shareOfRepeats = 0.2

const bytesOf = (counters: ReadonlyMap<string, TrafficCounter>, ids: ReadonlySet<string>): number =>
  [...counters.values()].reduce((sum, { id, up, down }) => sum + (ids.has(id) ? up + down : 0), 0)

export class StandInAgent {
  /** With a server on each node. */
  readonly option: SoldOption
  readonly #nodes: readonly Node[]
  readonly #random: () => number
  #acknowledged = 0
  #unanswered = 0

  constructor(option: SoldOption, nodes: readonly Node[], seed: number) {
    this.option = option
    this.#nodes = nodes
    this.#random = seededRandom(seed)
  }

  async #report(url: string, node: Node, body: object) {
    const token = await signNodeToken(node.id, node.key)
    return call(url, 'POST', '/agent/v1/report', { token, body })
  }

  #bodyOf({ counters }: Node): object {
    return { ...emptyReport, traffic: [...counters.values()] }
  }

  /** Everything that was counted so far, heard for certain. */
  async beat(url: string): Promise<void> {
    for (const node of this.#nodes) {
      const token = await signNodeToken(node.id, node.key)
      await demand(url, 'POST', '/agent/v1/report', { token, body: this.#bodyOf(node) })
      node.known = new Map(node.counters)
    }
  }

  /** Traffic grows and is told of, now and then out of order, until the service is gone. */
  async bustle(url: string, accesses: readonly ToldAccess[]): Promise<void> {
    await Promise.all(this.#nodes.map((node) => this.#tell(url, node, accesses)))
  }

  async #tell(url: string, node: Node, accesses: readonly ToldAccess[]): Promise<void> {
    const own = accesses.filter((access) => access.server_id === node.serverId)
    for (let n = 0; n < reportsEach; n++) {
      await sleep(this.#random() * spreadMs)
      if (this.#random() < shareOfRestarts) node.run++
      for (const { id } of own) this.#carry(node, id)
      const isRepeat = node.before !== undefined && this.#random() < shareOfRepeats
      const counted = new Map(node.counters)
      const body = this.#bodyOf(node)
      const answer = await this.#report(url, node, body).catch(() => undefined)
      if (answer?.body.status !== true) {
        this.#unanswered++
        return
      }
      this.#acknowledged++
      node.known = counted
      if (isRepeat) await this.#report(url, node, node.before as object).catch(() => undefined)
      node.before = body
    }
  }

  #carry(node: Node, access: number): void {
    const boot_id = `run-${node.run}`
    const id = `a${access}`
    const before = node.counters.get(`${boot_id} ${id}`) ?? { boot_id, id, up: 0, down: 0 }
    const [up, down] = [Math.ceil(this.#random() * 1000), Math.ceil(this.#random() * 100_000)]
    node.counters.set(`${boot_id} ${id}`, { ...before, up: before.up + up, down: before.down + down })
  }

  /** What the service must have counted for these accesses, and what it may have. */
  carried(accesses: readonly ToldAccess[]): { readonly least: number; readonly most: number } {
    const ids = new Set(accesses.map(({ id }) => `a${id}`))
    const sum = (of: (node: Node) => ReadonlyMap<string, TrafficCounter>) =>
      this.#nodes.reduce((total, node) => total + bytesOf(of(node), ids), 0)
    return { least: sum((node) => node.known), most: sum((node) => node.counters) }
  }

  get summary(): string {
    return `${this.#acknowledged} reports of traffic acknowledged, ${this.#unanswered} unanswered`
  }
}

type Ask = (path: string, body: unknown) => Promise<{ id: number } & Record<string, unknown>>

const addNode = async (url: string, ask: Ask, locationId: number): Promise<Node> => {
  const node = await ask('/nodes', { name: `stand-in ${locationId}`, address: `203.0.113.${locationId}` })
  const server = await ask('/servers', {
    node_id: node.id,
    location_id: locationId,
    capacity: 100_000,
    protocols: ['vless'],
    ports: { vless: 443 },
    reality_target: 'www.example.com:443',
    reality_server_name: 'www.example.com',
  })
  const { privateKey: key } = generateKeyPairSync('ed25519')
  const { x } = key.export({ format: 'jwk' })
  await demand(url, 'POST', '/agent/v1/enrol', { body: { token: node.enrolment_token, public_key: x } })
  return {
    id: node.id,
    serverId: server.id,
    key,
    run: 0,
    counters: new Map(),
    known: new Map(),
    before: undefined,
  }
}

const words = { title: 'Option', caption: 'For the crash test', description: 'Two servers, metered together' }
const inBoth = Object.fromEntries(
  Object.entries(words).flatMap(([name, text]) => [
    [`${name}_ru`, text],
    [`${name}_en`, text],
  ]),
)

/** Two nodes with a roomy server each, in locations 1 and 2, and an option over both. */
export const addSellingNodes = async (
  url: string,
  operatorToken: string,
  { priceRub, days, seed }: { readonly priceRub: number; readonly days: number; readonly seed: number },
): Promise<StandInAgent> => {
  const ask: Ask = (path, body) => demand(url, 'POST', `/operator/v1${path}`, { token: operatorToken, body })
  const nodes = [await addNode(url, ask, 1), await addNode(url, ask, 2)]
  const option = await ask('/paid-options', {
    key: 'crash_test',
    ...inBoth,
    protocol: 'vless',
    server_ids: nodes.map((node) => node.serverId),
    tariffs: [{ days, prices: [{ payment_method_id: 1, price: priceRub }] }],
  })
  const [tariff] = option.tariffs as { id: number }[]
  return new StandInAgent({ id: option.id, tariffId: tariff?.id as number }, nodes, seed)
}
