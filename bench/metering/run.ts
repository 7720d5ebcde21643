import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { PostgresServer } from '../../test/support/databases/postgres.ts'
import { cpuSeconds, residentMegabytes, startSallyport, stopTargets, type Target } from '../targets.ts'
import { type Drive, SimulatedAgent } from './agents.ts'
import { type Bare, runBare, together } from './bare.ts'
import { type Crossed, meteringReport, type Phase } from './report.ts'
import { type Metered, type MeteringSize, type NearTerm, seedMetered } from './seed.ts'
import { cpuSecondsOfFamily, QuotaWatch, sizesOf, walBytes } from './watch.ts'

/** Many metered subscriptions on many agents: what reports cost, and how long a limit takes to bite. */

export interface MeteringOptions extends Omit<MeteringSize, 'near'> {
  /** One run for each: the share of accesses that move in an interval. */
  readonly shares: readonly number[]
  readonly seconds: number
}

const bareSeconds = 10
const mostCrossings = 300
/** How long what crossed last is waited for. */
const patienceMs = 90_000

interface Place {
  readonly service: Target
  readonly postgresPid: number
  readonly client: pg.Client
  readonly agents: ReadonlyMap<number, SimulatedAgent>
}

class Crossings {
  readonly #byAccess: ReadonlyMap<number, NearTerm>
  readonly sentAtMs = new Map<number, number>()
  readonly toldAtMs = new Map<number, number>()

  constructor(terms: readonly NearTerm[]) {
    this.#byAccess = new Map(terms.map((term) => [term.accessId, term]))
  }

  note(at: Map<number, number>, accessId: number): void {
    const term = this.#byAccess.get(accessId)
    if (term && !at.has(term.termId)) at.set(term.termId, performance.now())
  }

  /** Seconds from the report that crossed, where it came to that. */
  since(at: ReadonlyMap<number, number>): number[] {
    return [...this.sentAtMs].flatMap(([termId, sentMs]) => {
      const thenMs = at.get(termId)
      return thenMs === undefined ? [] : [(thenMs - sentMs) / 1000]
    })
  }
}

/** What became of the reports of a phase. */
class HeardReports {
  readonly latenciesMs: number[] = []
  readonly statuses = new Map<number, number>()
  counters = 0

  note(status: number, milliseconds: number, count: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    this.latenciesMs.push(milliseconds)
    if (status === 200) this.counters += count
  }
}

/** Early enough for the next report to come, late enough for everybody to have begun. */
const crossingsOn = (nodeId: number, terms: readonly NearTerm[], startedMs: number, seconds: number) =>
  terms
    .filter((term) => term.nodeId === nodeId)
    .map(({ accessId }) => ({ accessId, atMs: startedMs + (0.1 + Math.random() * 0.6) * seconds * 1000 }))

const waitFor = async (isDone: () => boolean): Promise<void> => {
  const untilMs = performance.now() + patienceMs
  while (!isDone() && performance.now() < untilMs) await sleep(200)
}

const runPhase = async (
  { service, postgresPid, client, agents }: Place,
  terms: readonly NearTerm[],
  { active, seconds }: { readonly active: number; readonly seconds: number },
): Promise<Omit<Phase, 'bare'>> => {
  const before = await sizesOf(client)
  const crossings = new Crossings(terms)
  const watch = new QuotaWatch(
    client,
    terms.map((term) => term.termId),
  )
  const heard = new HeardReports()
  const startedMs = performance.now()
  const stop = new AbortController()
  const drive: Drive = {
    port: service.port,
    active,
    isOver: () => performance.now() >= startedMs + seconds * 1000,
    stop: stop.signal,
    onReport: (...report) => heard.note(...report),
    onCrossing: (id) => crossings.note(crossings.sentAtMs, id),
    onRemoved: (id) => crossings.note(crossings.toldAtMs, id),
  }
  const walBefore = await walBytes(client)
  const cpuBefore = { service: cpuSeconds(service) ?? 0, postgres: cpuSecondsOfFamily(postgresPid) }
  watch.start()
  const running = [...agents].map(([nodeId, agent]) =>
    agent.run(drive, crossingsOn(nodeId, terms, startedMs, seconds)),
  )
  await sleep(seconds * 1000)
  const took = (performance.now() - startedMs) / 1000
  const cpu = {
    service: ((cpuSeconds(service) ?? 0) - cpuBefore.service) / took,
    postgres: (cpuSecondsOfFamily(postgresPid) - cpuBefore.postgres) / took,
  }
  const written = (await walBytes(client)) - walBefore
  const after = await sizesOf(client)
  await waitFor(() => crossings.sentAtMs.size === crossings.toldAtMs.size)
  watch.stop()
  stop.abort()
  await Promise.all(running)
  const crossed: Crossed = {
    sent: crossings.sentAtMs.size,
    off: crossings.since(watch.offAtMs),
    told: crossings.since(crossings.toldAtMs),
  }
  return {
    active,
    seconds: took,
    ...heard,
    walBytes: written,
    cpu,
    residentMegabytes: residentMegabytes(service),
    crossed,
    before,
    after,
  }
}

const runPhases = async (metered: Metered, pid: number, options: MeteringOptions): Promise<Phase[]> => {
  const client = new pg.Client({ connectionString: metered.databaseUrl })
  await client.connect()
  const service = await startSallyport(metered)
  const agents = new Map(metered.nodes.map((node) => [node.nodeId, new SimulatedAgent(node, metered.near)]))
  const each = Math.floor(metered.near.length / options.shares.length)
  const phases: Phase[] = []
  const bare = () => runBare({ ...metered, postgresPid: pid, client }, metered.nodes, bareSeconds)
  try {
    let before: Bare = await bare()
    for (const [at, active] of options.shares.entries()) {
      const terms = metered.near.slice(at * each, (at + 1) * each)
      const place = { service, postgresPid: pid, client, agents }
      const phase = await runPhase(place, terms, { active, seconds: options.seconds })
      const after = await bare()
      phases.push({ ...phase, bare: together(before, after) })
      before = after
    }
  } finally {
    await stopTargets([service])
    await client.end()
  }
  return phases
}

export const runMetering = async (
  postgres: PostgresServer,
  options: MeteringOptions,
  say: (text: string) => void,
): Promise<{ report: string; isGood: boolean }> => {
  const { subscriptions, accesses, agents, shares } = options
  say(`Making ${subscriptions} subscriptions with ${accesses} accesses each on ${agents} nodes…`)
  const each = Math.min(mostCrossings, Math.ceil(subscriptions / 20))
  const size = { subscriptions, accesses, agents, near: each * shares.length }
  const metered = await seedMetered(postgres.url, size)
  say(`Running ${shares.length} × ${options.seconds} s…`)
  return meteringReport(size, await runPhases(metered, postgres.pid, options))
}
