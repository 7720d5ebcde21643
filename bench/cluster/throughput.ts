import { cpuSecondsOfFamily } from '../metering/watch.ts'
import type { Metered } from '../metering/seed.ts'
import { Agents } from './agents.ts'
import type { Cluster } from './cluster.ts'
import { Traffic } from './traffic/traffic.ts'
import { judge, lookBefore } from './verdict.ts'

/** What the cluster holds when everybody asks as fast as they are answered. */

export interface ThroughputOptions {
  readonly customers: readonly number[]
  readonly instances: readonly number[]
  readonly seconds: number
  readonly say: (text: string) => void
}

/** Enough to keep it busy, and few enough that nobody is sent away. */
const connections = 48
const warmUpSeconds = 10

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

const head = ['customers', 'instances', 'answers/s', 'p50 ms', 'p99 ms', 'refused/s', 'failed', 'CPU of instances', 'of PostgreSQL', 'of the load']

/** Cores that each part has used since it was asked last. */
const cpuOf = (cluster: Cluster) => {
  const postgresPids = cluster.patroni.members.flatMap(({ postgresPid }) => postgresPid ?? [])
  const groups = {
    instances: () => cluster.instances.reduce((sum, { program }) => sum + cpuSecondsOfFamily(program.pid), 0),
    postgres: () => postgresPids.reduce((sum, pid) => sum + cpuSecondsOfFamily(pid), 0),
    load: () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  }
  const read = () => ({ instances: groups.instances(), postgres: groups.postgres(), load: groups.load() })
  const began = read()
  const beganMs = performance.now()
  return () => {
    const now = read()
    const seconds = (performance.now() - beganMs) / 1000
    const cores = (name: keyof typeof groups) => ((now[name] - began[name]) / seconds).toFixed(2)
    return [cores('instances'), cores('postgres'), cores('load')]
  }
}

const measureOne = async (
  cluster: Cluster,
  metered: Metered,
  { customers, instances, seconds, say }: { customers: number; instances: number; seconds: number; say: (text: string) => void },
): Promise<string> => {
  await cluster.startInstances(instances, metered)
  const client = await cluster.connect(`customers_${customers}`)
  const before = await lookBefore(client)
  const agents = new Agents(cluster.balancer.ports.api, metered)
  agents.start()
  const traffic = new Traffic(cluster.balancer.ports.api, metered.active)
  await traffic.crowd(connections, warmUpSeconds)
  const from = traffic.timeline.now
  const used = cpuOf(cluster)
  await traffic.crowd(connections, seconds)
  const cpu = used()
  const span = traffic.timeline.span(from, traffic.timeline.now)
  await traffic.deals.finish(30)
  await agents.finish()
  const verdict = await judge(client, traffic.deals, before, agents.all)
  await client.end()
  for (const surprise of [...verdict.problems, ...traffic.timeline.surprises]) say(surprise)
  say(`${customers} customers, ${instances} instances: ${verdict.deals} deals, ${verdict.repeated} repeated; ${agents.summary}`)
  for (const [kind, all] of traffic.timeline.byKind) say(`  ${kind}: ${all.length}`)
  traffic.close()
  await cluster.stopInstances()
  const { perSecond, p50, p99 } = span
  const cells = [perSecond.good.toFixed(0), p50.toFixed(1), p99.toFixed(0), perSecond.refused.toFixed(1), (perSecond.failed * span.seconds).toFixed(0)]
  return row([customers, instances, ...cells, ...cpu])
}

export const measureThroughput = async (cluster: Cluster, options: ThroughputOptions): Promise<string> => {
  const lines = [row(head), row(head.map((_, at) => (at === 0 ? '---:' : '---:')))]
  for (const customers of options.customers) {
    const metered = await cluster.seed(customers)
    for (const instances of options.instances) {
      const line = await measureOne(cluster, metered, { ...options, customers, instances })
      options.say(line)
      lines.push(line)
    }
  }
  return lines.join('\n')
}
