import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../../apps/server/db/client.ts'
import { migrate } from '../../apps/server/db/migrate.ts'
import type { Lab } from '../../e2e/support/lab/namespaces.ts'
import { type BoughtConfig, type LabServer, Vpn } from '../../e2e/support/lab/vpn.ts'
import { multiply } from '../../e2e/support/many-customers.ts'
import type { TestDatabase } from '../../test/support/databases/database.ts'
import { loadTestDemo } from '../../test/support/databases/demo-database.ts'
import type { PostgresServer } from '../../test/support/databases/postgres.ts'
import type { TestUser } from '../../test/support/service.ts'
import type { Carried } from './by-hand.ts'
import { type Offer, offers } from './offers.ts'

/** The product: a service, and a node of the lab with its agent, which is told what it would be told anywhere. */

/** What the agent of a real machine does in its usual pace. */
const usualPace = { SALLYPORT_REPORT_INTERVAL_MS: '15000', SALLYPORT_METER_INTERVAL_MS: '5000' }
const home = 1

const makeDatabase = async (postgres: PostgresServer): Promise<TestDatabase> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sallyport-tunnels-'))
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir })
  await migrate(database)
  await loadTestDemo(database.db)
  await database.close()
  const remove = async (): Promise<void> => rmSync(dataDir, { recursive: true, force: true })
  return { databaseUrl: postgres.url, dataDir, remove }
}

interface KeptState {
  readonly desired: {
    readonly accesses: readonly Carried['access'][]
    readonly inbounds: readonly NonNullable<Carried['inbound']>[]
  }
}

export class Node {
  readonly #vpn: Vpn
  readonly #server: LabServer
  readonly #user: TestUser
  readonly #databaseUrl: string

  private constructor(vpn: Vpn, server: LabServer, user: TestUser, databaseUrl: string) {
    this.#vpn = vpn
    this.#server = server
    this.#user = user
    this.#databaseUrl = databaseUrl
  }

  static async open(lab: Lab, postgres: PostgresServer): Promise<Node> {
    const vpn = await Vpn.open(lab, {}, await makeDatabase(postgres))
    const server = await vpn.addServer('entry', home, { fields: { capacity: 50_000 }, env: usualPace })
    const user = await vpn.service.createUser({ balance: 1_000_000 })
    return new Node(vpn, server, user, postgres.url)
  }

  /** Buys it, and has the agent carry it. */
  async buy({ protocol, besides, options = [] }: Offer): Promise<BoughtConfig> {
    const chosen = Object.fromEntries(options.map((name) => [name, true]))
    const { id } = await this.#vpn.buy(this.#user, this.#server, besides ?? protocol, chosen)
    const proxy = besides
      ? await this.#vpn.ask<BoughtConfig>(this.#user, 'POST', `/configs/${id}/subconfig`, { protocol })
      : undefined
    await this.#vpn.applied(this.#server)
    if (proxy) return proxy
    const listed = await this.#vpn.ask<BoughtConfig[]>(this.#user, 'GET', '/configs')
    return listed.find((row) => row.id === id) as BoughtConfig
  }

  /** What the agent was told of it. */
  async carried({ id }: BoughtConfig): Promise<Carried> {
    const kept = await readFile(join(this.#server.agent.directory, 'state.json'), 'utf8')
    const { desired } = JSON.parse(kept) as KeptState
    const access = desired.accesses.find((one) => one.id === `a${id}`)
    if (!access) throw new Error(`The agent does not carry ${id}: ${desired.accesses.map((one) => one.id)}`)
    const tag = access.kind === 'shared' ? access.inbound : undefined
    const inbound = desired.inbounds.find((one) => one.tag === tag)
    return { access, ...(inbound && { inbound }) }
  }

  /** So many more customers at every port that is shared. */
  async crowd(times: number): Promise<void> {
    const protocols = new Set(
      offers.filter(({ isShared, besides }) => isShared && !besides).map(({ protocol }) => protocol),
    )
    const buyer = await this.#vpn.service.createUser({ balance: 1_000_000 })
    for (const protocol of protocols) await this.#vpn.buy(buyer, this.#server, protocol)
    const client = new pg.Client({ connectionString: this.#databaseUrl })
    await client.connect()
    const query = async (sql: string) => (await client.query(sql)).rows
    await multiply(query, { userId: buyer.id, serverId: this.#server.serverId, times })
    await client.end()
    await this.#vpn.applied(this.#server)
  }

  async close(): Promise<void> {
    await this.#vpn.close()
  }
}
