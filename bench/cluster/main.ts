import { parseArgs } from 'node:util'
import { showAlerts } from './alerts/show.ts'
import { AlertWatch } from './alerts/watch.ts'
import { Cluster, type ClusterOptions } from './cluster.ts'
import { faultsOf } from './faults.ts'
import { measureOverload } from './overload.ts'
import { soak } from './soak.ts'
import { survive } from './survive.ts'
import { measureThroughput } from './throughput.ts'

const help = `npm run cluster -- COMMAND [options]

A whole production on this machine: three instances behind HAProxy, PostgreSQL under Patroni and etcd, Redis with Sentinel,
fifty agents. Needs patroni, etcd-server, haproxy, postgresql, redis-server, prometheus and faketime of Debian, and root.

  throughput       what 1, 2 and 3 instances hold, with each number of customers
  overload         three times what three instances hold
  faults           what goes wrong while customers go on, and which alerts tell of it
  alerts           each rule of deploy/prometheus firing, by a Prometheus that reads one small instance
  soak             half of what it holds for an hour: what grows without end
  --customers N,…  (10000,100000,1000000; the last of them for the others)
  --instances N,…  (1,2,3)
  --seconds N      of each measurement (20)
  --rate N         requests a second during faults (200), and for the soak
  --minutes N      of the soak (60)
  --only NAMES     of the faults
  --cut N          for so many seconds agents are cut off (600)
  --disk FOLDER    where the databases are: a small file system of its own for the fault that fills it`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    customers: { type: 'string', default: '10000,100000,1000000' },
    instances: { type: 'string', default: '1,2,3' },
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string' },
    minutes: { type: 'string', default: '60' },
    only: { type: 'string' },
    cut: { type: 'string', default: '600' },
    disk: { type: 'string' },
  },
})

const say = (text: string): void => console.error(text)
const numbers = (text: string): number[] => text.split(',').map(Number)

const most = (): number => Math.max(...numbers(values.customers))

const commands: Readonly<Record<string, (cluster: Cluster) => Promise<string>>> = {
  throughput: (cluster) =>
    measureThroughput(cluster, {
      customers: numbers(values.customers),
      instances: numbers(values.instances),
      seconds: Number(values.seconds),
      say,
    }),
  overload: (cluster) =>
    measureOverload(cluster, { customers: most(), seconds: Number(values.seconds), say }),
  soak: (cluster) =>
    soak(cluster, {
      customers: most(),
      minutes: Number(values.minutes),
      ...(values.rate && { rate: Number(values.rate) }),
      say,
    }),
  faults: async (cluster) => {
    const metered = await cluster.seed(most())
    await cluster.startInstances(3, metered)
    const named = values.only?.split(',')
    const faults = faultsOf(Number(values.cut)).filter(({ name }) => !named || named.includes(name))
    const alerts = await AlertWatch.start(cluster)
    return survive(cluster, metered, { rate: Number(values.rate ?? 200), faults, alerts, say }).finally(() =>
      alerts.stop(),
    )
  },
  alerts: (cluster) => showAlerts(cluster, { customers: most(), rate: Number(values.rate ?? 200), say }),
}

const options: ClusterOptions = { say, ...(values.disk && { diskFolder: values.disk }) }

const command = commands[positionals[0] ?? '']
if (!command || values.help) {
  console.log(help)
  process.exitCode = values.help ? 0 : 2
} else {
  const cluster = await Cluster.start(options)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  try {
    console.log(`\n${await command(cluster)}\n`)
    await cluster.stop()
    cluster.remove()
  } catch (error) {
    say(`What the parts said is in ${cluster.folder.path}`)
    await cluster.stop()
    throw error
  }
}
