import type pg from 'pg'
import type { Metered } from '../metering/seed.ts'
import { Agents } from './agents.ts'
import type { Cluster } from './cluster.ts'
import { quantile } from './traffic/timeline.ts'
import { Traffic } from './traffic/traffic.ts'
import { judge, lookBefore, type Verdict } from './verdict.ts'

/** Customers and agents at a cluster; the books may be looked at whenever nobody deals. */
export interface Run {
  readonly cluster: Cluster
  readonly traffic: Traffic
  readonly agents: Agents
  /** Once everything begun is answered. */
  judge(): Promise<Verdict>
}

const nameOf = ({ databaseUrl }: Metered): string => new URL(databaseUrl).pathname.slice(1)

/** Each on a connection of its own: the one from before may lead to a server that is no longer the primary. */
const onDatabase = async <T>(cluster: Cluster, metered: Metered, look: (client: pg.Client) => Promise<T>) => {
  const client = await cluster.connect(nameOf(metered))
  try {
    return await look(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** With what was broken before anybody dealt; looking takes minutes with a million customers. */
const introduced = new Map<Metered, readonly string[]>()

export const withLoad = async <T>(
  cluster: Cluster,
  metered: Metered,
  work: (run: Run) => Promise<T>,
): Promise<T> => {
  const before = await onDatabase(cluster, metered, (client) =>
    lookBefore(client, metered.active, introduced.get(metered)),
  )
  const agents = new Agents(cluster.balancer.ports.api, metered)
  const traffic = new Traffic(cluster.balancer.ports.api, metered.active)
  agents.start()
  await agents.untilReported()
  if (!introduced.has(metered)) {
    await traffic.introduce(32)
    // Tables that were empty are not any more; the database would notice within a minute.
    await onDatabase(cluster, metered, (client) => client.query('analyze'))
  }
  introduced.set(metered, before.rules)
  const run: Run = {
    cluster,
    traffic,
    agents,
    judge: async () => {
      await traffic.deals.settle(60)
      return agents.calm(() =>
        onDatabase(cluster, metered, (client) => judge(client, traffic.deals, before, agents.all)),
      )
    },
  }
  try {
    return await work(run)
  } finally {
    traffic.deals.stop()
    traffic.close()
    await agents.stop()
  }
}

export const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

export const table = (head: readonly string[], lines: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...lines.map(row)].join('\n')

export const inBooks = ({ deals, repeated, givenUp, problems }: Verdict): string => {
  const found = problems.length === 0 ? 'the books are exact' : `PROBLEMS: ${problems.join('; ')}`
  const gone = givenUp > 0 ? `, ${givenUp} sent away and given up` : ''
  return `${deals} purchases, renewals and top-ups, ${repeated} of them repeated by their customers${gone}: ${found}.`
}

/** How long each kind of request took: half of them, and all but one of a hundred. */
export const timesOf = ({ timeline }: Traffic): string =>
  [...timeline.byKind]
    .map(([kind, ms]) => `${kind} ${quantile(ms, 0.5).toFixed(0)}/${quantile(ms, 0.99).toFixed(0)}`)
    .join(', ')

/** Answers that nobody expects, if there were any. */
export const surprisesOf = ({ timeline }: Traffic): string =>
  timeline.surprises.length === 0 ? '' : `Unexpected: ${timeline.surprises.slice(0, 10).join('; ')}`
