import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { type Metered, seedMetered } from '../metering/seed.ts'
import { Etcd } from './parts/etcd.ts'
import { Folder } from './parts/folder.ts'
import { Balancer } from './parts/haproxy.ts'
import { Instance, portsFor } from './parts/instance.ts'
import { Patroni } from './parts/patroni.ts'
import { until } from './parts/program.ts'
import { Sentinels } from './parts/redis.ts'

/** Everything that production has, on this machine: three instances, a database that fails over, Redis that does, and a balancer. */

export interface ClusterOptions {
  readonly say: (text: string) => void
  /** Where the databases are, when not beside the rest. */
  readonly diskFolder?: string
}

const mostInstances = 3
/** Those who ask, as many with every number of customers, so that each asks as often. */
const activeCustomers = 10_000

export class Cluster {
  readonly folder: Folder
  readonly disk: Folder
  readonly etcd: Etcd
  readonly patroni: Patroni
  readonly sentinels: Sentinels
  readonly balancer: Balancer
  readonly #ports: readonly number[]
  readonly #options: ClusterOptions
  instances: Instance[] = []

  private constructor(
    parts: Pick<Cluster, 'folder' | 'disk' | 'etcd' | 'patroni' | 'sentinels' | 'balancer'>,
    ports: readonly number[],
    options: ClusterOptions,
  ) {
    this.folder = parts.folder
    this.disk = parts.disk
    this.etcd = parts.etcd
    this.patroni = parts.patroni
    this.sentinels = parts.sentinels
    this.balancer = parts.balancer
    this.#ports = ports
    this.#options = options
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    const { say } = options
    const folder = new Folder('/var/tmp')
    const disk = options.diskFolder ? new Folder(options.diskFolder) : folder
    say('Starting etcd, Patroni with two PostgreSQLs, Redis with Sentinel, HAProxy…')
    const etcd = await Etcd.start(folder)
    const patroni = await Patroni.start(folder, etcd, disk)
    const sentinels = await Sentinels.start(folder)
    const ports = await portsFor(mostInstances)
    const balancer = await Balancer.start(folder, ports, patroni)
    const cluster = new Cluster({ folder, disk, etcd, patroni, sentinels, balancer }, ports, options)
    await cluster.untilPrimary()
    return cluster
  }

  /** A balancer that has just started takes both PostgreSQLs for the primary, until it has asked them. */
  async untilPrimary(): Promise<void> {
    let inTurn = 0
    await until('the way to the primary', async () => {
      const client = await this.connect()
      const { rows } = await client.query('select pg_is_in_recovery() as is_standby')
      await client.end()
      inTurn = rows[0].is_standby ? 0 : inTurn + 1
      return inTurn >= 20
    })
  }

  get url(): string {
    return this.balancer.url
  }

  /** As superuser, of whichever PostgreSQL is the primary. */
  databaseUrl(name = 'postgres'): string {
    const { superuser } = this.patroni.passwords
    return `postgres://postgres:${superuser}@127.0.0.1:${this.balancer.ports.postgres}/${name}`
  }

  async connect(name?: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.databaseUrl(name) })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  /** A database of so many customers, each with two accesses on some of fifty nodes. */
  async seed(customers: number): Promise<Metered> {
    this.#options.say(`Making ${customers} customers…`)
    const name = `customers_${customers}`
    const size = { subscriptions: customers, accesses: 2, agents: 50, near: 1 }
    const metered = await seedMetered(this.databaseUrl(), size, {
      name,
      active: Math.min(customers, activeCustomers),
    })
    const client = await this.connect(name)
    // What is bought goes to nodes whose agents are here.
    await client.query(
      `update servers set state = 'closed' where node_id not in (select id from nodes where name like 'meter%')`,
    )
    await client.query('checkpoint')
    await client.end()
    // What was made is on the disks, and nobody waits for it later.
    await this.patroni.checkpointStandby()
    spawnSync('sync')
    return metered
  }

  async startInstances(count: number, { secretKey, databaseUrl }: Metered): Promise<void> {
    const shared = {
      databaseUrl,
      secretKey,
      redisUrl: this.sentinels.url,
      publicUrl: this.url,
    }
    const ports = this.#ports.slice(0, count)
    this.instances = await Promise.all(ports.map((port) => Instance.make(this.folder, shared, port)))
    await Promise.all(this.instances.map((instance) => instance.start()))
  }

  async stopInstances(): Promise<void> {
    await Promise.all(this.instances.map((instance) => instance.stop()))
    this.instances = []
  }

  async stop(): Promise<void> {
    await this.stopInstances()
    await this.balancer.stop()
    await this.sentinels.stop()
    await this.patroni.stop()
    await this.etcd.stop()
  }

  remove(): void {
    this.folder.remove()
    this.disk.remove()
  }
}
