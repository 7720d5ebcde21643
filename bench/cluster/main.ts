import { parseArgs } from 'node:util'
import { Cluster, type ClusterOptions } from './cluster.ts'
import { measureThroughput } from './throughput.ts'

const help = `npm run cluster -- COMMAND [options]

A whole production on this machine: three instances behind HAProxy, PostgreSQL under Patroni and etcd, Redis with Sentinel,
fifty agents. Needs patroni, etcd-server, haproxy, postgresql and redis-server of Debian, and root.

  throughput       what 1, 2 and 3 instances hold, with each number of customers
  --customers N,…  (10000,100000,1000000)
  --instances N,…  (1,2,3)
  --seconds N      of each measurement (20)`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    customers: { type: 'string', default: '10000,100000,1000000' },
    instances: { type: 'string', default: '1,2,3' },
    seconds: { type: 'string', default: '20' },
  },
})

const say = (text: string): void => console.error(text)
const numbers = (text: string): number[] => text.split(',').map(Number)

const commands: Readonly<Record<string, (cluster: Cluster) => Promise<string>>> = {
  throughput: (cluster) =>
    measureThroughput(cluster, {
      customers: numbers(values.customers),
      instances: numbers(values.instances),
      seconds: Number(values.seconds),
      say,
    }),
}

/** The load has a processor to itself, so that it does not slow down what it measures. */
const pinned: ClusterOptions = { say, cores: '0', balancerCores: '1' }

const command = commands[positionals[0] ?? '']
if (!command || values.help) {
  console.log(help)
  process.exitCode = values.help ? 0 : 2
} else {
  const cluster = await Cluster.start(pinned)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  try {
    console.log(`\n${await command(cluster)}\n`)
  } finally {
    await cluster.stop()
  }
}
