import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../test/support/databases/postgres.ts'
import { runDelivery } from './delivery/run.ts'
import { type Effort, type Measured, measure } from './measure.ts'
import { runMetering } from './metering/run.ts'
import { checkPlans } from './plans.ts'
import { circumstances, errorsOf, ratio, table } from './report.ts'
import { type Seeded, type SeedOptions, seed } from './seed.ts'
import { runStatistics } from './statistics/run.ts'
import { bareFastify, bareHttp, type Scenario, startTargets, stopTargets } from './targets.ts'

const help = `npm run bench -- [options]

  --quick          small and short, to see that everything runs
  --plans          only the query plans, with a million configurations
  --delivery       only what keys deliver, in each format, with 10 configurations a customer; with
      --active N         customers who ask over and over (5000), before all of them do
      --only NAMES       formats, "base64 to a device", "base64 to an app without x-hwid",
                         page or "base64 over a new connection" (all of them)
  --metering       only the reports of agents, for metered subscriptions; with
      --subscriptions N  (100000)
      --accesses N       of each (10)
      --agents N         that carry them (100)
      --active SHARES    of the accesses that move in 15 s, a run for each (0.03,1)
      --seconds N        length of a run (120)
      --durable          PostgreSQL waits for its disk, as in production
  --statistics     only what operators are shown of a year, with a million orders
  --customers N    customers in the database (100000)
  --active N       of these, how many are asked for in turn (5000)
  --seconds N      length of a round (8)
  --rounds N       rounds of every target (7)
  --connections N  simultaneous requests (64)
  --only NAMES     without --delivery: profile,configs,sub,device`

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    plans: { type: 'boolean', default: false },
    delivery: { type: 'boolean', default: false },
    metering: { type: 'boolean', default: false },
    durable: { type: 'boolean', default: false },
    statistics: { type: 'boolean', default: false },
    subscriptions: { type: 'string', default: '100000' },
    accesses: { type: 'string', default: '10' },
    agents: { type: 'string', default: '100' },
    help: { type: 'boolean', default: false },
    customers: { type: 'string' },
    active: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    connections: { type: 'string' },
    only: { type: 'string' },
  },
})

const wanted = 0.85
const titles: Readonly<Record<Scenario, string>> = {
  profile: 'GET /profile',
  configs: 'GET /configs',
  sub: 'GET /sub/:key',
  device: 'GET /sub/:key from a known device',
}
/** The two the aim is set for. */
const judged: readonly Scenario[] = ['profile', 'configs']

const say = (text: string): void => console.error(text)

const measureAll = async (seeded: Seeded, effort: Effort, scenarios: readonly Scenario[]) => {
  const targets = await startTargets(seeded)
  const results = new Map<Scenario, Measured[]>()
  try {
    for (const scenario of scenarios) {
      say(`Measuring ${titles[scenario]}…`)
      results.set(scenario, await measure(targets, scenario, seeded.active, effort))
    }
  } finally {
    await stopTargets(targets)
  }
  return results
}

const verdict = (results: ReadonlyMap<Scenario, Measured[]>): string[] =>
  judged.flatMap((scenario) => {
    const [product, fastify] = results.get(scenario) ?? []
    if (!product || !fastify) return []
    const reached = ratio(product, fastify)
    return `${titles[scenario]}: ${reached.toFixed(2)} of bare Fastify, ${reached >= wanted ? 'at least' : 'BELOW'} the wanted ${wanted}.`
  })

const save = (report: string): string => {
  const folder = new URL('./results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const file = new URL(`${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.md`, folder)
  writeFileSync(file, report)
  return file.pathname
}

const versionOf = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('show server_version')
  await client.end()
  return rows[0].server_version
}

const runLoad = async (adminUrl: string): Promise<void> => {
  const isQuick = values.quick
  const size: SeedOptions = {
    customers: Number(values.customers ?? (isQuick ? 5000 : 100_000)),
    active: Number(values.active ?? (isQuick ? 1000 : 5000)),
    configsEach: 20,
  }
  const effort: Effort = {
    seconds: Number(values.seconds ?? (isQuick ? 1 : 8)),
    rounds: Number(values.rounds ?? (isQuick ? 1 : 7)),
    connections: Number(values.connections ?? 64),
  }
  say(`Making ${size.customers} customers, ${size.active} of them with ${size.configsEach} configurations…`)
  const seeded = await seed(adminUrl, size)
  const scenarios = (values.only ?? 'profile,configs,sub,device').split(',') as Scenario[]
  const results = await measureAll(seeded, effort, scenarios)
  const report = [
    circumstances({ ...size, ...effort, postgresVersion: await versionOf(adminUrl) }),
    ...[...results].map(([scenario, all]) => table(titles[scenario], all, [bareFastify, bareHttp])),
    ...(isQuick
      ? ['Nothing here is warm: a quick run shows that everything works, not how fast.']
      : verdict(results)),
  ].join('\n\n')
  console.log(`\n${report}\n`)
  say(`Kept in ${save(`${report}\n`)}`)
  if ([...results.values()].flat().some((measured) => errorsOf(measured) > 0)) {
    say('Some answers were errors, so these figures mean nothing (429: raise --active).')
    process.exitCode = 1
  }
}

/** A machine for a million accesses gives PostgreSQL more than tests do. */
const meteringSettings = (): Record<string, string> => ({
  shared_buffers: '1GB',
  max_wal_size: '2GB',
  ...(values.durable && {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    wal_level: 'replica',
    wal_compression: 'on',
    checkpoint_timeout: '5min',
  }),
})

const runAgents = async (postgres: PostgresServer): Promise<void> => {
  const options = {
    subscriptions: Number(values.subscriptions),
    accesses: Number(values.accesses),
    agents: Number(values.agents),
    shares: (values.active ?? '0.03,1').split(',').map(Number),
    seconds: Number(values.seconds ?? 120),
  }
  const { report, isGood } = await runMetering(postgres, options, say)
  console.log(`\n${report}\n`)
  say(`Kept in ${save(`${report}\n`)}`)
  if (!isGood) process.exitCode = 1
}

const runKeys = async (postgres: PostgresServer): Promise<void> => {
  const isQuick = values.quick
  const options = {
    customers: Number(values.customers ?? (isQuick ? 5000 : 100_000)),
    hot: Number(values.active ?? (isQuick ? 1000 : 5000)),
    seconds: Number(values.seconds ?? (isQuick ? 0.5 : 1)),
    rounds: Number(values.rounds ?? (isQuick ? 1 : 11)),
    connections: Number(values.connections ?? 64),
    only: values.only?.split(',') ?? [],
  }
  const { report, isGood } = await runDelivery(postgres, options, say)
  console.log(`\n${report}\n`)
  say(`Kept in ${save(`${report}\n`)}`)
  if (!isGood && !isQuick) process.exitCode = 1
}

const runFigures = async (postgres: PostgresServer): Promise<void> => {
  const isQuick = values.quick
  const options = {
    orders: isQuick ? 50_000 : 1_000_000,
    customers: Number(values.customers ?? (isQuick ? 5000 : 100_000)),
    requests: isQuick ? 5 : 200,
  }
  const { report, isGood } = await runStatistics(postgres.url, options, say)
  console.log(`\n${report}\n`)
  say(`Kept in ${save(`${report}\n`)}`)
  if (!isGood && !isQuick) process.exitCode = 1
}

if (values.help) console.log(help)
else {
  say('Starting a private PostgreSQL…')
  const postgres = await startPostgres(undefined, { settings: values.metering ? meteringSettings() : {} })
  if (!postgres) {
    console.error('The benchmark needs PostgreSQL (initdb and postgres) on this machine.')
    process.exit(1)
  }
  try {
    if (values.metering) await runAgents(postgres)
    else if (values.delivery) await runKeys(postgres)
    else if (values.statistics) await runFigures(postgres)
    else await (values.plans ? checkPlans(postgres.url, say) : runLoad(postgres.url))
  } finally {
    await postgres.stop()
  }
}
