import type { KeyObject } from 'node:crypto'
import type { TrafficCounter } from '@sallyport/contract/agent/report'
import { emptyReport, enrolNode, signNodeToken } from '../../support/node.ts'
import { Dice } from '../dice.ts'
import type { Meters, World } from '../world.ts'

/** The nodes of options: what their engines carry, and what their agents tell of it, not always in time. */

interface Node {
  readonly nodeId: number
  readonly serverId: number
  readonly key: KeyObject
  boot: number
  /** What it runs, by its last look: the term of each access. */
  accesses: ReadonlyMap<number, number>
  revision: number
  /** What each run of the engine has counted, until a report of it came through and the run is over. */
  readonly counters: Map<string, TrafficCounter>
  /** Reports that got stuck on their way, with the moment they were sent. */
  readonly late: { readonly at: number; readonly report: object }[]
}

const megabyte = 1_000_000
const mostLateSeconds = 25 * 86_400
/** What each option begins with: none, and little enough to be used up in some months. */
export const usualLimits = [0, 1500 * megabyte] as const
const nodeCount = 4
const locations = [1, 2, 3, 7]

export class MeteringNodes implements Meters {
  readonly #world: World
  readonly #nodes: readonly Node[]
  /** What was carried for each subscription. */
  readonly #carried = new Map<number, number>()
  readonly #paused = new Map<number, string | null>()
  /** What became a part of what. */
  readonly #merged = new Map<number, number>()

  private constructor(world: World, nodes: readonly Node[]) {
    this.#world = world
    this.#nodes = nodes
  }

  /** Both options move to nodes that can report; two of the four carry both. */
  static async start(world: World): Promise<MeteringNodes> {
    const nodes: Node[] = []
    for (let n = 0; n < nodeCount; n++) {
      const server = { protocols: ['vless', 'trojan', 'hysteria2'], capacity: 100_000 }
      const enrolled = await enrolNode(world.service, locations[n] as number, server)
      const { nodeId, serverId, privateKey: key } = enrolled
      const nothing = { boot: 0, accesses: new Map(), revision: 0, counters: new Map(), late: [] }
      nodes.push({ nodeId, serverId, key, ...nothing })
    }
    const meters = new MeteringNodes(world, nodes)
    const ids = meters.serverIds
    for (const [option, server_ids] of [ids.slice(0, 3), ids.slice(1, 3)].entries()) {
      const { status, message } = await world.operator('PATCH', `/paid-options/${option + 1}`, {
        body: { server_ids, traffic_limit: usualLimits[option], most_traffic: 0, most_devices: 0 },
      })
      if (status !== 200) world.blame('an option was not moved', message)
    }
    return meters
  }

  get serverIds(): number[] {
    return this.#nodes.map((node) => node.serverId)
  }

  carriedBy(termId: number): number {
    return this.#carried.get(termId) ?? 0
  }

  merge(fromTermId: number, intoTermId: number): void {
    const carried = this.carriedBy(fromTermId)
    this.#merged.set(fromTermId, intoTermId)
    this.#carried.set(intoTermId, this.carriedBy(intoTermId) + carried)
  }

  /** Nodes that have not heard of it go on carrying what is gone, for whatever it became. */
  #presentOf(termId: number): number {
    const into = this.#merged.get(termId)
    return into === undefined ? termId : this.#presentOf(into)
  }

  /** So much goes through one of its accesses; false when no node runs any. */
  carry(termId: number, bytes: number): boolean {
    for (const node of this.#nodes) {
      const [access] = [...node.accesses].find(([, term]) => term === termId) ?? []
      if (access === undefined) continue
      this.#count(node, access, termId, { up: 0, down: bytes })
      return true
    }
    return false
  }

  #count(node: Node, access: number, termId: number, more: { up: number; down: number }): void {
    const boot_id = `run-${node.boot}`
    const name = `${boot_id} ${access}`
    const before = node.counters.get(name) ?? { boot_id, id: `a${access}`, up: 0, down: 0 }
    node.counters.set(name, { ...before, up: before.up + more.up, down: before.down + more.down })
    const present = this.#presentOf(termId)
    this.#carried.set(present, this.carriedBy(present) + more.up + more.down)
  }

  /** Some of the nodes have something to tell today. */
  async passDay(day: number, share: number): Promise<void> {
    if (this.#world.isOffline) return
    for (const [number, node] of this.#nodes.entries()) {
      const dice = new Dice(this.#world.seed, 900, day, number)
      if (!dice.chance(share)) continue
      for (const [access, term] of node.accesses) {
        if (!dice.chance(0.5)) continue
        const more = { up: dice.int(0, 40) * megabyte, down: dice.int(0, 700) * megabyte + dice.int(0, 999) }
        this.#count(node, access, term, more)
        this.#world.tally.add('metered bytes', more.up + more.down)
      }
      await this.#tell(node, dice)
      if (dice.chance(0.1)) this.#restart(node)
      if (dice.chance(0.85)) await this.#look([node])
    }
    await this.#watch()
  }

  #restart(node: Node): void {
    node.boot++
    this.#world.tally.add('fault engine restarted')
  }

  async #tell(node: Node, dice: Dice): Promise<void> {
    const { tally } = this.#world
    const report = this.#reportOf(node)
    const fate = dice.weighted({ sent: 64, lost: 12, doubled: 12, late: 12 })
    if (fate !== 'sent') tally.add(`fault report ${fate}`)
    if (fate === 'late') node.late.push({ at: this.#world.now(), report })
    if (fate === 'lost' || fate === 'late') return
    await this.#send(node, report)
    this.#forget(node)
    if (fate === 'doubled') await this.#send(node, report)
    if (dice.chance(0.4)) await this.#sendLate(node, 1)
  }

  /** Behind newer ones; nothing is on its way for a month, which is how long counters of earlier runs are kept. */
  async #sendLate(node: Node, count: number): Promise<void> {
    for (const { at, report } of node.late.splice(0, count)) {
      if (at > this.#world.now() - mostLateSeconds) await this.#send(node, report)
    }
  }

  #reportOf({ revision, counters }: Node): object {
    return { ...emptyReport, applied_revision: revision, traffic: [...counters.values()] }
  }

  async #send(node: Node, body: object): Promise<void> {
    const token = await signNodeToken(node.nodeId, node.key)
    const { status, message } = await this.#world.ask(token, 'POST', '/agent/v1/report', { body })
    this.#world.tally.add('reports')
    if (status !== 200) this.#world.blame('a report was refused', message)
  }

  /** Runs that are over and were told of need not be told again. */
  #forget(node: Node): void {
    for (const [name, { boot_id }] of node.counters) {
      if (boot_id !== `run-${node.boot}`) node.counters.delete(name)
    }
  }

  /** What these nodes are to run now. */
  async #look(nodes: readonly Node[]): Promise<void> {
    const { db } = this.#world.service
    for (const node of nodes) {
      const { desired_revision } = await db
        .selectFrom('nodes')
        .select('desired_revision')
        .where('id', '=', node.nodeId)
        .executeTakeFirstOrThrow()
      const rows = await db
        .selectFrom('placements as p')
        .innerJoin('accesses as a', 'a.id', 'p.access_id')
        .innerJoin('terms as t', 't.id', 'a.term_id')
        .select(['a.id', 'a.term_id'])
        .where('p.node_id', '=', node.nodeId)
        .where('p.is_present', '=', true)
        .where('t.product', '=', 'paid_options')
        .orderBy('a.id')
        .execute()
      node.accesses = new Map(rows.map((row) => [row.id, row.term_id]))
      node.revision = desired_revision
    }
  }

  /** For the line at the end: how often traffic ran out, and came back. */
  async #watch(): Promise<void> {
    const { service, tally } = this.#world
    const rows = await service.db
      .selectFrom('terms')
      .select(['id', 'paused'])
      .where('product', '=', 'paid_options')
      .where('state', '=', 'active')
      .execute()
    for (const { id, paused } of rows) {
      const before = this.#paused.get(id) ?? null
      if (before !== 'quota' && paused === 'quota') tally.add('options limited')
      if (before === 'quota' && paused === null) tally.add('options resumed')
      this.#paused.set(id, paused)
    }
  }

  /** Everything that was counted and not told yet, the oldest last. */
  async flush(): Promise<void> {
    await this.#look(this.#nodes)
    for (const node of this.#nodes) {
      await this.#send(node, this.#reportOf(node))
      await this.#sendLate(node, node.late.length)
      this.#forget(node)
    }
    await this.#watch()
  }
}
