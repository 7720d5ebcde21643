import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { JobRuns } from '../../core/alerts/job-runs.ts'
import type { Services } from '../../core/call.ts'
import { Distribution } from '../../core/seeing/distribution.ts'
import { type FleetFigures, FleetFiguresReader } from '../../core/seeing/fleet-figures.ts'
import type { Database } from '../../db/client.ts'
import type { HttpServer } from '../../http/connections/http-server.ts'
import { byLabel, counter, type Family, gauge, histogram, textOf } from '../../http/metrics/families.ts'
import type { MachineFigures } from '../../http/metrics/machine-figures.ts'
import type { RequestTimes } from '../../http/metrics/request-times.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { SpanSink } from '../../ports/traces.ts'

/** Everything that /metrics tells, and where it comes from. docs/seeing.md says what each means and what to do about it. */

export interface MetricsParts {
  readonly services: Services
  readonly database: Database
  readonly httpServer: HttpServer
  readonly times: RequestTimes
  readonly jobRuns: JobRuns
  readonly sink: SpanSink | undefined
  /** Undefined where there is no Redis. */
  readonly isRedisUp: () => boolean | undefined
  readonly readMachine: () => Promise<MachineFigures>
}

const build = gauge('sallyport_build_info', 'The release that runs', () => 1)
const buildInfo: Family = {
  ...build,
  samples: () => [{ value: 1, labels: { version: packageJson.version, node: process.version } }],
}

const ofHttp = ({ httpServer, times, services }: MetricsParts): Family[] => [
  times.family,
  gauge('sallyport_http_connections', 'Open connections', () => httpServer.connections),
  gauge('sallyport_http_waiting_requests', 'Requests that are being worked on', () => httpServer.waiting),
  gauge(
    'sallyport_http_most_waiting',
    'Requests that may be worked on at once now',
    () => httpServer.mostWaiting,
  ),
  gauge(
    'sallyport_http_most_changing',
    'Requests that change something and may be worked on at once now',
    () => httpServer.mostChanging,
  ),
  counter(
    'sallyport_http_refused_total',
    'Requests that were told to come again (503)',
    () => httpServer.refused,
  ),
  byLabel(
    'counter',
    'sallyport_refused_counters_total',
    'Counters of traffic that nodes told and were not believed',
    'reason',
    () => services.refusedCounters.entries(),
  ),
]

const ofCaches = ({ services }: MetricsParts): Family => ({
  name: 'sallyport_cache_requests_total',
  help: 'How often a cache had what was asked for (hit) or not (miss)',
  type: 'counter',
  samples: () =>
    Object.entries(services.caches).flatMap(([cache, { hits, misses }]) => [
      { labels: { cache, outcome: 'hit' }, value: hits },
      { labels: { cache, outcome: 'miss' }, value: misses },
    ]),
})

/** Seconds. */
const waitBounds = [0.001, 0.005, 0.02, 0.1, 0.5, 2]

const ofDatabase = ({ database }: MetricsParts): Family[] => {
  const { engine } = database
  const waits = new Distribution(waitBounds)
  engine.onWait((seconds) => waits.observe(seconds))
  return [
    byLabel('gauge', 'sallyport_database_connections', 'Connections of the pool', 'state', () => {
      const { size, busy, idle } = engine.load()
      return [['size', size] as const, ['busy', busy] as const, ['idle', idle] as const]
    }),
    gauge(
      'sallyport_database_waiting',
      'Who waits for a connection of the pool',
      () => engine.load().waiting,
    ),
    histogram('sallyport_database_wait_seconds', 'How long transactions waited for a connection', () => [
      [{}, waits] as const,
    ]),
    gauge(
      'sallyport_database_reads_waiting',
      'Single reads that are not answered yet',
      () => engine.load().reads,
    ),
    byLabel(
      'gauge',
      'sallyport_replica_lag_seconds',
      'How far a copy of the database is behind',
      'replica',
      () => {
        const lagSeconds = database.replicaLagSeconds()
        return lagSeconds === undefined ? [] : [['DATABASE_REPLICA_URL', lagSeconds] as const]
      },
    ),
  ]
}

/** Prometheus itself calls by `job` whom it reads. */
const ofJobs = ({ jobRuns }: MetricsParts): Family[] => [
  histogram('sallyport_job_seconds', 'How long runs of a job took', () =>
    Array.from(jobRuns.entries(), ([job, { times }]) => [{ job_name: job }, times] as const),
  ),
  byLabel('counter', 'sallyport_job_failures_total', 'Runs of a job that failed', 'job_name', () =>
    Array.from(jobRuns.entries(), ([job, { failures }]) => [job, failures] as const),
  ),
  byLabel(
    'gauge',
    'sallyport_job_age_seconds',
    'Since a job last came to its end, or further on',
    'job_name',
    () => Array.from(jobRuns.entries(), ([job, { ageSeconds }]) => [job, ageSeconds] as const),
  ),
  byLabel('gauge', 'sallyport_job_interval_seconds', 'How often a job runs', 'job_name', () =>
    Array.from(jobRuns.entries(), ([job, { everySeconds }]) => [job, everySeconds] as const),
  ),
]

/** What the tables say: the figure's name there, what it is, and by which label it is told. */
const fleet: readonly (readonly [name: string, help: string, label?: string])[] = [
  ['due_seconds', 'How long the first of what is due waits', 'kind'],
  ['payments_pending', 'Payments that are neither paid nor given up, by age', 'age'],
  ['payments_unread', 'Pending payments older than an hour that their provider never told about'],
  ['orders_ungranted', 'Orders that are paid and not given'],
  ['orders_ungranted_seconds', 'How long the first of them waits'],
  ['provider_events_waiting', "Providers' events that are not taken in"],
  ['webhooks_waiting', 'Events that wait to be sent to endpoints'],
  ['letters_waiting', 'Letters that wait to be sent'],
  ['machines_troubled', "Customers' machines with a problem"],
  ['withdrawals_pending', 'Withdrawals that wait for an operator'],
  ['agents', "Agents of the operator's nodes that have reported before"],
  ['agents_away', 'Of these, who have not reported for 90 seconds'],
  ['agent_silence_seconds', 'Since the longest silent of them has reported'],
  ['ledger_imbalance', 'By how much the books are wrong'],
  ['ledger_check_seconds', 'Since the books were last checked'],
  ['alerts_open', 'Alerts that operators see', 'kind'],
]

const ofFleet = (read: () => FleetFigures | undefined): Family[] => [
  ...fleet.map(
    ([name, help, label]): Family => ({
      name: `sallyport_${name}`,
      help,
      type: 'gauge',
      samples: () =>
        Array.from(read()?.byName.get(name) ?? [], ([key, value]) => ({
          value,
          ...(label !== undefined && { labels: { [label]: key } }),
        })),
    }),
  ),
  gauge(
    'sallyport_nodes_behind',
    'Nodes that report and have not applied their newest revision',
    () => read()?.nodesBehind,
  ),
  gauge(
    'sallyport_nodes_behind_seconds',
    'How long the longest of them is without it',
    () => read()?.nodesBehindSeconds,
  ),
  gauge('sallyport_figures_age_seconds', 'Since the figures of the whole service were read', () => {
    const atMs = read()?.atMs
    return atMs === undefined ? undefined : (performance.now() - atMs) / 1000
  }),
]

const ofTraces = ({ sink }: MetricsParts): Family =>
  byLabel(
    'counter',
    'sallyport_trace_spans_total',
    'Spans that a collector took, or that were dropped',
    'outcome',
    () => (sink ? [['sent', sink.sent] as const, ['dropped', sink.dropped] as const] : []),
  )

const ofMachine = (read: () => MachineFigures | undefined, now: () => number): Family[] => [
  gauge('sallyport_disk_size_bytes', 'Size of the disk that DATA_DIR is on', () => read()?.disk?.size),
  gauge('sallyport_disk_free_bytes', 'What is free on it', () => read()?.disk?.free),
  gauge('sallyport_backup_age_seconds', 'Since the last backup that succeeded ended', () => {
    const end = read()?.backupEnd
    return end === undefined ? undefined : now() - end
  }),
  byLabel('gauge', 'sallyport_certificate_expires_seconds', 'Until the first certificate ends', 'of', () =>
    (read()?.certificateEnds ?? []).map(([of, end]) => [of, end - now()] as const),
  ),
]

const patienceMs = 3000

const within = <T>(work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work.catch(() => undefined), sleep(patienceMs, undefined, { ref: false })])

/** Tells all of it, whether or not the database answers. */
export const metricsOf = (parts: MetricsParts): (() => Promise<string>) => {
  const { services, database } = parts
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const figures = new FleetFiguresReader(
    services.db,
    () => services.clock.now(),
    (err) => services.log.warn({ err }, 'figures for /metrics could not be read'),
  )
  let ofTables: FleetFigures | undefined
  let machine: MachineFigures | undefined
  let isDatabaseUp = false
  const families = [
    buildInfo,
    ...ofHttp(parts),
    ofCaches(parts),
    gauge('sallyport_database_up', 'Whether the database answers', () => Number(isDatabaseUp)),
    ...ofDatabase(parts),
    gauge('sallyport_redis_up', 'Whether Redis counts the limits', () => {
      const isUp = parts.isRedisUp()
      return isUp === undefined ? undefined : Number(isUp)
    }),
    ...ofJobs(parts),
    ...ofFleet(() => ofTables),
    ofTraces(parts),
    ...ofMachine(
      () => machine,
      () => services.clock.now(),
    ),
  ]
  const check = () => database.engine.check().then(() => true)
  return async () => {
    const [isUp, read, found] = await Promise.all([
      within(check()),
      within(figures.read()),
      within(parts.readMachine()),
    ])
    isDatabaseUp = isUp ?? false
    ofTables = read
    machine = found
    return `${textOf(families)}\n${await registry.metrics()}`
  }
}
