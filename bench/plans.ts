import pg from 'pg'
import { apiKeyByPrefix } from '../apps/server/core/accounts/credentials.ts'
import { sha256 } from '../apps/server/core/kernel/vault.ts'
import { configsPage } from '../apps/server/features/configs/queries.ts'
import { listLiveConfigs, ownerByHash } from '../apps/server/features/delivery/queries.ts'
import { profileById } from '../apps/server/features/profile/queries.ts'
import { identityWorks } from './identity-plans.ts'
import { seedIdentity } from './identity-seed.ts'
import { moneyWorks } from './money-plans.ts'
import { seedMoney } from './money-seed.ts'
import { checkScans } from './scans.ts'
import { type Customer, seed } from './seed.ts'

const size = { customers: 100_000, active: 50_000, configsEach: 20 }
const largeFrom = 10_000

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly PlanNode[]
}

interface Plan {
  readonly Plan: PlanNode
  readonly 'Execution Time': number
}

/** PostgreSQL may plan a prepared statement for its values or once for all of them; both have to be good. */
const planModes = ['force_custom_plan', 'force_generic_plan'] as const

const hotStatements = ({
  id,
  apiKey,
  subscriptionKey,
}: Customer): [name: string, sql: string, unknown[]][] => {
  const now = Math.floor(Date.now() / 1000)
  return [
    ['API key', apiKeyByPrefix.sql, [apiKey.split('_')[1]]],
    ['GET /profile', profileById.sql, [id]],
    ['GET /configs', configsPage.sql, [id, now, 1000, 0]],
    ['GET /sub/:key, owner', ownerByHash.sql, [sha256(subscriptionKey), sha256('device')]],
    ['GET /sub/:key, links', listLiveConfigs.sql, [id, now, false]],
  ]
}

const literal = (value: unknown): string =>
  Buffer.isBuffer(value) ? `'\\x${value.toString('hex')}'` : pg.escapeLiteral(String(value))

const explain = async (client: pg.Client, mode: string, sql: string, values: unknown[]): Promise<Plan> => {
  await client.query(`set plan_cache_mode = ${mode}; prepare hot as ${sql}`)
  const execute = `explain (analyze, format json) execute hot (${values.map(literal).join(', ')})`
  await client.query(execute)
  const { rows } = await client.query(execute)
  await client.query('deallocate hot')
  return rows[0]['QUERY PLAN'][0] as Plan
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const describe = (node: PlanNode): string =>
  [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ')

const largeTables = async (client: pg.Client): Promise<Set<string>> => {
  const { rows } = await client.query(
    `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= $1`,
    [largeFrom],
  )
  return new Set(rows.map((row) => row.relname as string))
}

/** Looks at the hot statements over a million configurations and orders; says what would not scale. */
export const checkPlans = async (adminUrl: string, say: (text: string) => void): Promise<void> => {
  say(`Making ${size.customers} customers with ${size.active * size.configsEach} configurations…`)
  const { databaseUrl, active } = await seed(adminUrl, size, 'plans')
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const large = await largeTables(client)
  const problems: string[] = []
  for (const [name, sql, values] of hotStatements(active[0] as Customer)) {
    for (const mode of planModes) {
      const plan = await explain(client, mode, sql, values)
      const nodes = nodesOf(plan.Plan)
      const scans = nodes.filter((node) => node['Relation Name'] !== undefined)
      console.log(`\n${name} (${mode}): ${plan['Execution Time'].toFixed(2)} ms`)
      for (const node of scans) console.log(`  ${describe(node)}`)
      for (const node of scans) {
        if (node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'] as string))
          problems.push(`${name} (${mode}) reads the whole of ${node['Relation Name']}`)
      }
    }
  }
  say('Making a million orders with payments, receipts, notifications and events…')
  await seedMoney(client)
  say('Making a million devices, sessions, refresh tokens and codes…')
  await seedIdentity(client)
  await client.query('vacuum analyze')
  await client.end()
  const { id } = active[0] as Customer
  problems.push(...(await checkScans(databaseUrl, [...moneyWorks(id), ...identityWorks(id)])))
  console.log(problems.length === 0 ? '\nNothing reads a large table from end to end.' : '')
  for (const problem of problems) console.log(`PROBLEM: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}
