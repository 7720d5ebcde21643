import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { brokenRules } from '../../test/support/databases/invariants.ts'
import type { SimulatedAgent } from '../metering/agents.ts'
import type { Customer } from '../seed.ts'
import type { Deal, Deals } from './traffic/deals.ts'

/** Whether what customers and agents remember is what the books say: nothing lost, nothing doubled. */

export interface Verdict {
  readonly deals: number
  readonly repeated: number
  /** The books know nothing of these. */
  readonly givenUp: number
  readonly problems: readonly string[]
}

const groupByUser = (deals: readonly Deal[]): Map<number, Deal[]> => {
  const groups = new Map<number, Deal[]>()
  for (const deal of deals) groups.set(deal.userId, [...(groups.get(deal.userId) ?? []), deal])
  return groups
}

export interface Before {
  readonly maxOrder: number
  /** Of each customer, in roubles. */
  readonly balances: ReadonlyMap<number, number>
  readonly rules: readonly string[]
}

const nameOf = (broken: string): string => broken.split(':')[0] ?? ''

const rulesBroken = async (client: pg.Client): Promise<string[]> => {
  // Thousands of orders may have come since the database last looked how many there are.
  await client.query('analyze')
  const query = async (sql: string) => (await client.query(sql)).rows
  return brokenRules(query, { isAtRest: false })
}

/** What was so before anybody dealt: seeds are not made by the product. */
export const lookBefore = async (
  client: pg.Client,
  customers: readonly Customer[],
  known?: readonly string[],
): Promise<Before> => {
  const { rows } = await client.query('select coalesce(max(id), 0)::int as id from orders')
  const wallets = await client.query(
    `select user_id, balance from ledger_accounts where kind = 'wallet' and user_id = any($1::bigint[])`,
    [customers.map(({ id }) => id)],
  )
  const balances = new Map(wallets.rows.map((row) => [Number(row.user_id), Number(row.balance)]))
  return { maxOrder: rows[0].id, balances, rules: known ?? (await rulesBroken(client)).map(nameOf) }
}

interface Row {
  readonly user_id: number
  readonly balance: number
  readonly purchases: number
  readonly renewals: number
  readonly items: number[]
}

const lookAt = async (
  client: pg.Client,
  userIds: readonly number[],
  { maxOrder }: Before,
): Promise<Row[]> => {
  const { rows } = await client.query(
    `select u.id as user_id, w.balance,
       (select count(*)::int from orders o where o.user_id = u.id and o.id > $2 and o.product = 'configs'
         and not o.is_renewal and o.state = 'fulfilled') as purchases,
       (select count(*)::int from orders o where o.user_id = u.id and o.id > $2 and o.product = 'configs'
         and o.is_renewal and o.state = 'fulfilled') as renewals,
       (select coalesce(array_agg(t.item_id::int), '{}') from terms t where t.user_id = u.id and t.product = 'configs') as items
     from unnest($1::bigint[]) u (id) join ledger_accounts w on w.user_id = u.id and w.kind = 'wallet'`,
    [userIds, maxOrder],
  )
  return rows.map((row) => ({ ...row, user_id: Number(row.user_id), balance: Number(row.balance) }))
}

const problemsOf = (row: Row, deals: readonly Deal[], { balances }: Before): string[] => {
  const done = deals.filter((deal) => deal.isDone)
  const of = (kind: Deal['kind']) => done.filter((deal) => deal.kind === kind)
  const expected = done.reduce((sum, { amount }) => sum + amount, balances.get(row.user_id) ?? 0)
  const missing = of('purchase').filter(({ itemId = 0 }) => !row.items.includes(itemId))
  const about = `customer ${row.user_id}`
  return [
    ...(row.balance === expected ? [] : [`${about}: has ${row.balance}, should have ${expected}`]),
    ...(row.purchases === of('purchase').length
      ? []
      : [`${about}: ${row.purchases} purchases of ${of('purchase').length}`]),
    ...(row.renewals === of('renewal').length
      ? []
      : [`${about}: ${row.renewals} renewals of ${of('renewal').length}`]),
    ...missing.map(({ itemId }) => `${about}: ${itemId} was bought and is not there`),
  ]
}

/** What agents counted and were told is known, against what is kept. */
const trafficProblems = async (client: pg.Client, agents: Iterable<SimulatedAgent>): Promise<string[]> => {
  const problems: string[] = []
  for (const agent of agents) {
    const carried = agent.carried
    const { rows } = await client.query(
      `select c.id from unnest($1::bigint[], $2::bigint[]) c (id, bytes) left join meters m on m.access_id = c.id
       where m.up is distinct from c.bytes or m.down is distinct from c.bytes limit 3`,
      [[...carried.keys()], [...carried.values()]],
    )
    for (const row of rows) problems.push(`access ${row.id}: other traffic than its agent counted`)
  }
  return problems
}

const look = async (
  client: pg.Client,
  { all }: Deals,
  before: Before,
  agents: Iterable<SimulatedAgent>,
): Promise<Verdict> => {
  const groups = groupByUser(all)
  const rows = await lookAt(client, [...groups.keys()], before)
  const open = all.filter((deal) => !deal.isDone && !deal.isGivenUp && deal.isRefused === undefined)
  const refused = all.filter((deal) => deal.isRefused !== undefined)
  const rules = (await rulesBroken(client)).filter((broken) => !before.rules.includes(nameOf(broken)))
  return {
    deals: all.length,
    givenUp: all.filter(({ isGivenUp }) => isGivenUp).length,
    repeated: all.filter(({ attempts, kind }) => attempts > (kind === 'top-up' ? 2 : 1)).length,
    problems: [
      ...rules,
      ...(open.length > 0
        ? [`${open.length} deals without an answer, such as ${JSON.stringify(open[0])}`]
        : []),
      ...(refused.length > 0 ? [`${refused.length} refused, such as ${JSON.stringify(refused[0])}`] : []),
      ...rows.flatMap((row) => problemsOf(row, groups.get(row.user_id) ?? [], before)).slice(0, 20),
      ...(await trafficProblems(client, agents)),
    ],
  }
}

/** What was paid at a provider is promised to be in the books after so long. */
const patienceMs = 600_000

/** What a provider has told is worked on behind the answers, so the books are looked at again until they agree. */
export const judge = async (
  client: pg.Client,
  deals: Deals,
  before: Before,
  agents: Iterable<SimulatedAgent> = [],
): Promise<Verdict> => {
  const endMs = performance.now() + patienceMs
  for (;;) {
    const verdict = await look(client, deals, before, agents)
    if (verdict.problems.length === 0 || performance.now() > endMs) return verdict
    await sleep(3000)
  }
}
