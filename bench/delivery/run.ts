import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { PostgresServer } from '../../test/support/databases/postgres.ts'
import { load } from '../load.ts'
import type { Effort } from '../measure.ts'
import { cpuSecondsOfFamily } from '../metering/watch.ts'
import type { Customer, Seeded } from '../seed.ts'
import { cpuSeconds, residentMegabytes, startSallyport, stopTargets, type Target } from '../targets.ts'
import { type Bare, startBare } from './bare.ts'
import { type Fresh, measureFresh } from './fresh.ts'
import { type Compared, deliveryReport, type Everybody, type Measured, type Series } from './report.ts'
import { itemsEach, seedDelivery } from './seed.ts'
import { bareRequestOf, requestOf, type Wish, wishes } from './wishes.ts'

/** What keys deliver, against a bare route that sends the same bytes. */

export interface DeliveryOptions extends Effort {
  readonly customers: number
  /** Of these, how many ask over and over. */
  readonly hot: number
  /** Names of wishes; all without any. */
  readonly only: readonly string[]
}

interface Place {
  readonly service: Target
  readonly bare: Bare
  readonly postgresPid: number
  readonly client: pg.Client
}

const anyOf =
  (requests: readonly string[]): (() => string) =>
  () =>
    requests[Math.floor(Math.random() * requests.length)] as string

const etagLine = /\r\netag: ([^\r]+)/i

interface First {
  readonly etags: ReadonlyMap<Customer, string>
  readonly cpuMicroseconds: number
  readonly postgresMicroseconds: number
}

/** Each of them once, in their order; tells the tags that they came to know. */
const askOnce = async (
  { service, postgresPid }: Place,
  wish: Wish,
  customers: readonly Customer[],
  connections: number,
): Promise<First> => {
  const askers = new Map(customers.map((customer) => [requestOf(customer, wish), customer]))
  const left = askers.keys()
  const etags = new Map<Customer, string>()
  const before = [cpuSeconds(service) ?? 0, cpuSecondsOfFamily(postgresPid)] as const
  await load({
    port: service.port,
    connections,
    seconds: Number.POSITIVE_INFINITY,
    next: () => left.next().value,
    onHead: (head, request) => {
      const etag = etagLine.exec(head)?.[1]
      if (etag !== undefined) etags.set(askers.get(request) as Customer, etag)
    },
  })
  const each = 1e6 / customers.length
  return {
    etags,
    cpuMicroseconds: ((cpuSeconds(service) ?? 0) - before[0]) * each,
    postgresMicroseconds: (cpuSecondsOfFamily(postgresPid) - before[1]) * each,
  }
}

const newSeries = (): Series => ({ rounds: [], latenciesMs: [], statuses: new Map() })

const runRound = async (
  { postgresPid }: Place,
  target: Target,
  next: () => string,
  series: Series,
  { seconds, connections }: Pick<Effort, 'seconds' | 'connections'>,
): Promise<void> => {
  const before = [cpuSeconds(target) ?? 0, cpuSecondsOfFamily(postgresPid)] as const
  const {
    requests,
    seconds: took,
    latenciesMs,
    statuses,
  } = await load({ port: target.port, connections, seconds, next })
  series.rounds.push({
    requestsPerSecond: requests / took,
    cpuMicroseconds: (((cpuSeconds(target) ?? 0) - before[0]) / requests) * 1e6,
    postgresMicroseconds: ((cpuSecondsOfFamily(postgresPid) - before[1]) / requests) * 1e6,
  })
  for (const latency of latenciesMs) series.latenciesMs.push(latency)
  for (const [status, count] of statuses)
    series.statuses.set(status, (series.statuses.get(status) ?? 0) + count)
}

/** The whole answer and the one that says that nothing has changed, ours and the bare one's, in turn. */
const compare = async (
  place: Place,
  wish: Wish,
  customers: readonly Customer[],
  etags: ReadonlyMap<Customer, string>,
  effort: Effort,
): Promise<Compared[]> => {
  const answer = place.bare.answers.get(wish.name)
  const bareEtag = answer?.headers.etag
  const kinds = bareEtag === undefined ? ([200] as const) : ([200, 304] as const)
  const runs = kinds.map((status) => {
    const isWhole = status === 200
    const own = customers.map((one) => requestOf(one, wish, isWhole ? undefined : etags.get(one)))
    const bare = customers.map((one) => bareRequestOf(one, wish, isWhole ? undefined : bareEtag))
    return {
      status,
      own: anyOf(own),
      bare: anyOf(bare),
      ours: newSeries(),
      pooled: newSeries(),
      shared: newSeries(),
    }
  })
  const warmUp = { ...effort, seconds: Math.min(1, effort.seconds) }
  for (let round = -1; round < effort.rounds; round++) {
    for (const { own, bare, ours, pooled, shared } of runs) {
      const isWarmUp = round < 0
      const length = isWarmUp ? warmUp : effort
      await runRound(place, place.service, own, isWarmUp ? newSeries() : ours, length)
      await runRound(place, place.bare.pooled, bare, isWarmUp ? newSeries() : pooled, length)
      await runRound(place, place.bare.shared, bare, isWarmUp ? newSeries() : shared, length)
    }
  }
  const bytes = Buffer.from(answer?.body ?? '', 'base64').length
  return runs.map(({ status, ours, pooled, shared }) => {
    return { wish, status, bytes: status === 200 ? bytes : 0, ours, pooled, shared }
  })
}

/** How often PostgreSQL has looked into tables that are asked only when something is new; it tells that late. */
const looksOf = async (client: pg.Client): Promise<{ rendered: number; owners: number }> => {
  await sleep(1200)
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query(
    `select relname, seq_scan + idx_scan as looks from pg_stat_user_tables where relname in ('accesses', 'meters')`,
  )
  const of = (name: string) => Number(rows.find((row) => row.relname === name)?.looks ?? 0)
  return { rendered: of('accesses'), owners: of('meters') }
}

/** All customers, each once and then at random: what does not fit into memory is made anew. */
const askEverybody = async (place: Place, wish: Wish, seeded: Seeded, effort: Effort): Promise<Everybody> => {
  const { active } = seeded
  const cold = await looksOf(place.client)
  const first = await askOnce(place, wish, active, effort.connections)
  const warm = await looksOf(place.client)
  const compared = await compare(place, wish, active, first.etags, effort)
  const end = await looksOf(place.client)
  const fetches = compared.reduce((sum, { ours }) => sum + ours.latenciesMs.length, 0)
  const shareOf = (kind: 'rendered' | 'owners'): number => {
    const each = (warm[kind] - cold[kind]) / active.length
    return (end[kind] - warm[kind]) / each / fetches
  }
  return {
    compared,
    cpuMicroseconds: first.cpuMicroseconds,
    postgresMicroseconds: first.postgresMicroseconds,
    renderedShare: shareOf('rendered'),
    ownersShare: shareOf('owners'),
    residentMegabytes: residentMegabytes(place.service),
  }
}

/** A short answer, and a long one. */
const askedOfEverybody = ['base64', 'mihomo']

interface Parts {
  readonly seeded: Seeded
  readonly postgresPid: number
  readonly client: pg.Client
  readonly bare: Bare
}

/** With a service of its own, that has kept nothing yet. */
const withService = async <T>(
  { seeded, postgresPid, client, bare }: Parts,
  run: (place: Place) => Promise<T>,
): Promise<T> => {
  const service = await startSallyport(seeded)
  try {
    return await run({ service, bare, postgresPid, client })
  } finally {
    await stopTargets([service])
  }
}

/** Until everything is compiled that will be. */
const warmUpSeconds = 10

const warmUp = async ({ service, bare }: Place, customers: readonly Customer[], effort: Effort) => {
  const [wish] = wishes
  const seconds = Math.min(warmUpSeconds, 10 * effort.seconds)
  const own = anyOf(customers.map((one) => requestOf(one, wish as Wish)))
  const bares = anyOf(customers.map((one) => bareRequestOf(one, wish as Wish)))
  const { connections } = effort
  await load({ port: service.port, connections, seconds, next: own })
  for (const { port } of [bare.pooled, bare.shared]) await load({ port, connections, seconds, next: bares })
}

const runAll = async (
  parts: Parts,
  options: DeliveryOptions,
  say: (text: string) => void,
): Promise<Measured> => {
  const { seeded } = parts
  const chosen = wishes.filter(({ name }) => options.only.length === 0 || options.only.includes(name))
  const hot = seeded.active.slice(0, options.hot)
  const compared: Compared[] = []
  const fresh: Fresh[] = []
  await withService(parts, async (place) => {
    await warmUp(place, hot, options)
    for (const wish of chosen) {
      say(`Asking for ${wish.name}…`)
      const { etags } = await askOnce(place, wish, hot, options.connections)
      // A plan that was made for an empty table would be kept.
      if (wish.by !== 'nobody') await place.client.query('analyze devices')
      compared.push(...(await compare(place, wish, hot, etags, options)))
    }
    const [usual] = chosen
    if (!usual) return
    say('Asking after something has happened…')
    await askOnce(place, usual, hot, options.connections)
    fresh.push(...(await measureFresh({ ...place, bare: parts.bare.pooled }, usual, hot, options)))
  })
  const everybody: Everybody[] = []
  for (const wish of chosen.filter(({ name }) => askedOfEverybody.includes(name))) {
    say(`All customers ask for ${wish.name}…`)
    everybody.push(await withService(parts, (place) => askEverybody(place, wish, seeded, options)))
  }
  return { compared, fresh, everybody }
}

const startBareOf = async (seeded: Seeded): Promise<Bare> => {
  const service = await startSallyport(seeded)
  try {
    return await startBare(seeded, service, wishes)
  } finally {
    await stopTargets([service])
  }
}

export const measureDelivery = async (
  seeded: Seeded,
  postgresPid: number,
  options: DeliveryOptions,
  say: (text: string) => void,
): Promise<{ report: string; isGood: boolean }> => {
  const client = new pg.Client({ connectionString: seeded.databaseUrl })
  await client.connect()
  const bare = await startBareOf(seeded)
  try {
    const measured = await runAll({ seeded, postgresPid, client, bare }, options, say)
    return deliveryReport({ ...options, itemsEach }, measured)
  } finally {
    await stopTargets([bare.pooled, bare.shared])
    bare.forget()
    await client.end()
  }
}

export const runDelivery = async (
  postgres: PostgresServer,
  options: DeliveryOptions,
  say: (text: string) => void,
): Promise<{ report: string; isGood: boolean }> => {
  say(`Making ${options.customers} customers with ${itemsEach} configurations each…`)
  const seeded = await seedDelivery(postgres.url, options.customers)
  return measureDelivery(seeded, postgres.pid, options, say)
}
