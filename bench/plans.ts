import pg from 'pg'
import { apiKeyByPrefix } from '../apps/server/core/accounts/credentials.ts'
import { sha256 } from '../apps/server/core/kernel/vault.ts'
import { listAccesses } from '../apps/server/core/vpn/access/reads.ts'
import { mostTogether } from '../apps/server/db/reads/gathered.ts'
import { findHeld } from '../apps/server/features/delivery/cabinet/queries.ts'
import { inboundsByRef, listLiveConfigs } from '../apps/server/features/delivery/live-queries.ts'
import {
  changedOwnersByHash,
  currentStates,
  listQuotas,
  ownersByHash,
  wholeStates,
} from '../apps/server/features/delivery/queries.ts'
import { optionConfigs, ownOptions } from '../apps/server/features/paid-options/queries.ts'
import { profileById } from '../apps/server/features/profile/queries.ts'
import { fleetWorks } from './fleet-plans.ts'
import { seedFleet } from './fleet-seed.ts'
import { identityWorks } from './identity-plans.ts'
import { seedIdentity } from './identity-seed.ts'
import { moneyWorks } from './money-plans.ts'
import { seedMoney } from './money-seed.ts'
import { optionWorks } from './options-plans.ts'
import { drainingWorks, seedDraining } from './plans/draining-plans.ts'
import { peopleWorks } from './plans/people-plans.ts'
import { seedSeeing, seeingWorks } from './plans/seeing-plans.ts'
import { sessionWorks } from './plans/sessions-plans.ts'
import { takeSample } from './sample.ts'
import { checkScans } from './scans.ts'
import { type Customer, openBulk, type Seeded, seed } from './seed.ts'
import { statementOf } from './statement.ts'
import { termWorks } from './terms-plans.ts'
import { hasOption, seedTerms } from './terms-seed.ts'
import { vpnWorks } from './vpn-plans.ts'
import { seedWebhooks, webhookWorks } from './webhook-plans.ts'

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

/** As many as are read together. */
const many = (bytes: Buffer | null): string =>
  `{${Array(mostTogether).fill(bytes ? `"\\\\x${bytes.toString('hex')}"` : 'null')}}`

const alike = (value: number | boolean | string): string => `{${Array(mostTogether).fill(value)}}`

type Statement = [name: string, sql: string, values: readonly unknown[]]

const hotStatements = async (
  { id, apiKey, subscriptionKey }: Customer,
  optionTermId: number,
): Promise<Statement[]> => {
  const now = Math.floor(Date.now() / 1000)
  const page = { now, limit: 1000, offset: 0 }
  const configs = await statementOf((db) => listAccesses(db, { userId: id, product: 'configs' }, page))
  const keyHash = sha256(subscriptionKey)
  const places = Array.from({ length: mostTogether }, (_, n) => n + 1)
  const someTerms = [alike(optionTermId), `{${places}}`]
  const ofDevice = [keyHash, sha256('device')]
  const withOptions = [...ofDevice.map(many), ...someTerms, many(sha256('panel'))]
  return [
    ['API key', apiKeyByPrefix.sql, [apiKey.split('_')[1]]],
    ['GET /profile', profileById.sql, [id]],
    ['GET /configs', configs.sql, configs.parameters],
    ['GET /sub/:key, owners', ownersByHash.sql, [many(keyHash), many(null), many(null), alike(now)]],
    [
      'GET /sub/:key from devices, owners',
      ownersByHash.sql,
      [...ofDevice.map(many), many(sha256('panel')), alike(now)],
    ],
    [
      'GET /sub/:key, changed owners',
      changedOwnersByHash.sql,
      [many(keyHash), many(null), many(null), alike(now)],
    ],
    ['GET /sub/:key, known owners', currentStates.sql, [many(keyHash), many(null)]],
    ['GET /sub/:key from devices, known owners', currentStates.sql, ofDevice.map(many)],
    ['GET /sub/:key, known owners with options', wholeStates.sql, [...withOptions, '{}', '{}']],
    ['GET /sub/:key, known owners with options and traffic', wholeStates.sql, [...withOptions, ...someTerms]],
    ['GET /sub/:key, links', listLiveConfigs.sql, [alike(id), alike(now), alike(false)]],
    ['GET /sub/:key, inbounds', inboundsByRef.sql, [alike(1), alike('vless'), alike(1)]],
    ['GET /sub/:key as a page, traffic of options', listQuotas.sql, someTerms],
    ['GET /apps', findHeld.sql, [id, now]],
    ['GET /paid-options, options', ownOptions.sql, [id, now, null]],
    ['GET /paid-options, configurations', optionConfigs.sql, [id, now - 60, null, false]],
  ]
}

const literal = (value: unknown): string => {
  if (value === null) return 'null'
  return Buffer.isBuffer(value) ? `'\\x${value.toString('hex')}'` : pg.escapeLiteral(String(value))
}

const explain = async (
  client: pg.Client,
  mode: string,
  sql: string,
  values: readonly unknown[],
): Promise<Plan> => {
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

const optionTermOf = async (client: pg.Client, { id }: Customer): Promise<number> => {
  const { rows } = await client.query(
    `select id from terms where product = 'paid_options' and user_id = $1`,
    [id],
  )
  return Number(rows[0].id)
}

const checkHot = async (client: pg.Client, customer: Customer): Promise<string[]> => {
  const large = await largeTables(client)
  const problems: string[] = []
  for (const [name, sql, values] of await hotStatements(customer, await optionTermOf(client, customer))) {
    for (const mode of planModes) {
      const plan = await explain(client, mode, sql, values)
      const scans = nodesOf(plan.Plan).filter((node) => node['Relation Name'] !== undefined)
      console.log(`\n${name} (${mode}): ${plan['Execution Time'].toFixed(2)} ms`)
      for (const node of scans) console.log(`  ${describe(node)}`)
      for (const node of scans) {
        if (node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name'] as string))
          problems.push(`${name} (${mode}) reads the whole of ${node['Relation Name']}`)
      }
    }
  }
  return problems
}

const fill = async (adminUrl: string, say: (text: string) => void): Promise<Seeded> => {
  say(`Making ${size.customers} customers with ${size.active * size.configsEach} configurations…`)
  const seeded = await seed(adminUrl, size, 'plans')
  const client = await openBulk(seeded.databaseUrl)
  say('Making what has ended, and the nodes that carry the rest…')
  await seedTerms(client)
  await seedFleet(client)
  say('Making a million orders with payments, receipts, notifications and events…')
  await seedMoney(client)
  say('Making a million devices, sessions, refresh tokens and codes…')
  await seedIdentity(client)
  say('Making what endpoints were told…')
  await seedWebhooks(client)
  await seedDraining(client)
  await seedSeeing(client)
  await client.query('vacuum analyze')
  await client.end()
  return seeded
}

/** Looks at the hot statements and the jobs over a million configurations and orders; says what would not scale. */
export const checkPlans = async (adminUrl: string, say: (text: string) => void): Promise<void> => {
  const { databaseUrl, active } = await fill(adminUrl, say)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const problems = await checkHot(client, active.find(hasOption) as Customer)
  const sample = await takeSample(client)
  await client.end()
  const { userId } = sample
  const works = [
    ...vpnWorks(sample),
    ...fleetWorks(sample),
    ...termWorks(sample),
    ...optionWorks(sample),
    ...moneyWorks(userId),
    ...identityWorks(userId),
    ...sessionWorks(userId),
    ...webhookWorks(),
    ...peopleWorks(userId),
    ...drainingWorks(sample),
    ...seeingWorks(sample),
  ]
  problems.push(...(await checkScans(databaseUrl, works)))
  console.log(problems.length === 0 ? '\nNothing reads most of a large table.' : '')
  for (const problem of problems) console.log(`PROBLEM: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
}
