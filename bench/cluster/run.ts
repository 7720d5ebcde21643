import type pg from 'pg'
import type { Metered } from '../metering/seed.ts'
import { Agents } from './agents.ts'
import type { Cluster } from './cluster.ts'
import { Traffic } from './traffic/traffic.ts'
import { judge, lookBefore, type Verdict } from './verdict.ts'

/** Customers and agents at a cluster, from the first request until the books have been looked at. */
export interface Run {
  readonly cluster: Cluster
  readonly traffic: Traffic
  readonly agents: Agents
  readonly client: pg.Client
}

export interface Ended<T> {
  readonly result: T
  readonly verdict: Verdict
  readonly surprises: readonly string[]
}

const nameOf = ({ databaseUrl }: Metered): string => new URL(databaseUrl).pathname.slice(1)

export const withLoad = async <T>(
  cluster: Cluster,
  metered: Metered,
  work: (run: Run) => Promise<T>,
): Promise<Ended<T>> => {
  const first = await cluster.connect(nameOf(metered))
  const before = await lookBefore(first)
  const agents = new Agents(cluster.balancer.ports.api, metered)
  agents.start()
  const traffic = new Traffic(cluster.balancer.ports.api, metered.active)
  const result = await work({ cluster, traffic, agents, client: first })
  await first.end().catch(() => undefined)
  await traffic.deals.finish(60)
  await agents.finish()
  // Another connection: the one from before may lead to a server that is no longer the primary.
  const client = await cluster.connect(nameOf(metered))
  const verdict = await judge(client, traffic.deals, before, agents.all)
  await client.end()
  traffic.close()
  return { result, verdict, surprises: traffic.timeline.surprises }
}

export const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

export const table = (head: readonly string[], lines: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...lines.map(row)].join('\n')

export const inBooks = ({ verdict, surprises }: Pick<Ended<unknown>, 'verdict' | 'surprises'>): string => {
  const { deals, repeated, problems } = verdict
  const found = problems.length === 0 ? 'the books are exact' : `PROBLEMS: ${problems.join('; ')}`
  const others =
    surprises.length === 0 ? '' : `\nAnswers that nobody expected: ${surprises.slice(0, 10).join('; ')}`
  return `${deals} purchases, renewals and top-ups, ${repeated} of them repeated by their customers: ${found}.${others}`
}
