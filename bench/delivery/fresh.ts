import type pg from 'pg'
import { movedPrefix } from '../../apps/server/core/fleet/changed-traffic-message.ts'
import { load } from '../load.ts'
import type { Effort } from '../measure.ts'
import { cpuSecondsOfFamily } from '../metering/watch.ts'
import { median, row } from '../report.ts'
import type { Customer } from '../seed.ts'
import { cpuSeconds, type Target } from '../targets.ts'
import { bareRequestOf, requestOf, type Wish } from './wishes.ts'

/** Fetches that are not the same as the last one: each of these customers asks once after something has happened to them. */

interface Change {
  readonly name: string
  /** How much more than the bare route's CPU it may cost, with PostgreSQL's. */
  readonly most: number
  readonly happen: (client: pg.Client, customers: readonly number[]) => Promise<unknown>
}

const changes: readonly Change[] = [
  {
    name: 'traffic has moved',
    most: 2,
    happen: (client) => client.query(`select pg_notify('sallyport', '${movedPrefix}*')`),
  },
  {
    name: 'the subscription has changed',
    most: 6,
    happen: (client, customers) =>
      client.query('update subscriptions set revision = revision + 1 where user_id = any($1)', [customers]),
  },
]

export interface FreshPlace {
  readonly service: Target
  readonly bare: Target
  readonly postgresPid: number
  readonly client: pg.Client
}

interface Cost {
  readonly service: number
  readonly postgres: number
}

export interface Fresh {
  readonly change: Pick<Change, 'name' | 'most'>
  readonly ours: readonly Cost[]
  readonly bare: readonly Cost[]
}

/** Microseconds of each of these requests, each of which is made once. */
const costOf = async (
  target: Target,
  postgresPid: number,
  requests: readonly string[],
  connections: number,
): Promise<Cost> => {
  const left = requests.values()
  const before = [cpuSeconds(target) ?? 0, cpuSecondsOfFamily(postgresPid)] as const
  await load({
    port: target.port,
    connections,
    seconds: Number.POSITIVE_INFINITY,
    next: () => left.next().value,
  })
  const each = 1e6 / requests.length
  return {
    service: ((cpuSeconds(target) ?? 0) - before[0]) * each,
    postgres: (cpuSecondsOfFamily(postgresPid) - before[1]) * each,
  }
}

export const measureFresh = async (
  { service, bare, postgresPid, client }: FreshPlace,
  wish: Wish,
  customers: readonly Customer[],
  { rounds, connections }: Pick<Effort, 'rounds' | 'connections'>,
): Promise<Fresh[]> => {
  const ids = customers.map(({ id }) => id)
  const own = customers.map((one) => requestOf(one, wish))
  const bares = customers.map((one) => bareRequestOf(one, wish))
  const cost = (target: Target, requests: readonly string[]) =>
    costOf(target, postgresPid, requests, connections)
  const measured: Fresh[] = []
  for (const change of changes) {
    const [ours, theirs]: [Cost[], Cost[]] = [[], []]
    for (let round = -1; round < rounds; round++) {
      await change.happen(client, ids)
      const pair = [await cost(service, own), await cost(bare, bares)] as const
      if (round < 0) continue
      ours.push(pair[0])
      theirs.push(pair[1])
    }
    measured.push({ change, ours, bare: theirs })
  }
  return measured
}

const sum = ({ service, postgres }: Cost): number => service + postgres

const ratioOf = ({ ours, bare }: Fresh): number =>
  median(ours.map((one, at) => sum(one) / sum(bare[at] as Cost)))

export const isFreshGood = (fresh: Fresh): boolean => ratioOf(fresh) <= fresh.change.most

const columns = [
  'since the last fetch',
  'CPU µs each',
  'PostgreSQL’s',
  'bare',
  'bare’s PostgreSQL’s',
  'of bare',
  'wanted',
]

export const freshTable = (all: readonly Fresh[]): string => {
  const line = (fresh: Fresh): string => {
    const of = (costs: readonly Cost[], part: keyof Cost) => median(costs.map((one) => one[part])).toFixed(0)
    const { ours, bare, change } = fresh
    const parts = [of(ours, 'service'), of(ours, 'postgres'), of(bare, 'service'), of(bare, 'postgres')]
    return row([change.name, ...parts, ratioOf(fresh).toFixed(2), `≤ ${change.most}`])
  }
  return [row(columns), row(columns.map((_, at) => (at === 0 ? '---' : '---:'))), ...all.map(line)].join('\n')
}
