import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { postgresFolder } from '../../../test/support/pieces.ts'
import { freePort } from '../../../test/support/ports.ts'
import type { Etcd } from './etcd.ts'
import type { Folder } from './folder.ts'
import { Program, statusOf, until } from './program.ts'

/** PostgreSQL as production has it: what is acknowledged is on both disks. */
const parameters = {
  max_connections: 200,
  shared_buffers: '2GB',
  effective_cache_size: '8GB',
  work_mem: '16MB',
  maintenance_work_mem: '512MB',
  wal_level: 'replica',
  wal_keep_size: '512MB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  synchronous_commit: 'on',
  fsync: 'on',
  full_page_writes: 'on',
  wal_compression: 'lz4',
  wal_log_hints: 'on',
  hot_standby: 'on',
  random_page_cost: 1.1,
  jit: 'off',
  log_min_messages: 'warning',
}

/** All programs of one version; a folder of the PATH may have links to some. */
const programs = (): string => dirname(realpathSync(join(postgresFolder() ?? '', 'postgres')))

interface Passwords {
  readonly superuser: string
  readonly replication: string
}

interface Place {
  readonly name: string
  readonly rest: number
  readonly postgres: number
  readonly data: string
}

const settingsOf = (place: Place, etcd: Etcd, passwords: Passwords): object => {
  const { name, rest, postgres, data } = place
  const superuser = { username: 'postgres', password: passwords.superuser }
  return {
    scope: 'sallyport',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { hosts: etcd.hosts },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        // A purchase that was acknowledged is on the standby too, or there is none.
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${postgres}`,
      connect_address: `127.0.0.1:${postgres}`,
      data_dir: join(data, 'data'),
      bin_dir: programs(),
      pgpass: join(data, 'pgpass'),
      authentication: {
        superuser,
        replication: { username: 'replicator', password: passwords.replication },
        rewind: superuser,
      },
      pg_hba: [
        'host all all 127.0.0.1/32 md5',
        'host replication replicator 127.0.0.1/32 md5',
        'local all all trust',
      ],
      parameters: { unix_socket_directories: data },
    },
    watchdog: { mode: 'off' },
    tags: {},
    log: { level: 'INFO' },
  }
}

/** A machine with PostgreSQL and what looks after it. */
export class Member {
  readonly place: Place
  readonly #patroni: Program

  constructor(place: Place, patroni: Program) {
    this.place = place
    this.#patroni = patroni
  }

  get name(): string {
    return this.place.name
  }

  /** Undefined while none runs. */
  get postgresPid(): number | undefined {
    try {
      const text = readFileSync(join(this.place.data, 'data', 'postmaster.pid'), 'utf8')
      const pid = Number(text.split('\n')[0])
      return existsSync(`/proc/${pid}`) ? pid : undefined
    } catch {
      return undefined
    }
  }

  is(role: 'primary' | 'replica' | 'sync'): Promise<boolean> {
    return statusOf(`http://127.0.0.1:${this.place.rest}/${role}`, 'OPTIONS').then((status) => status === 200)
  }

  start(): void {
    this.#patroni.start()
  }

  /** The machine is gone: both at once, without a word to anybody. */
  async kill(): Promise<void> {
    const { postgresPid } = this
    const ended = this.#patroni.kill()
    if (postgresPid) process.kill(postgresPid, 'SIGKILL')
    await ended
  }

  async stop(): Promise<void> {
    await this.#patroni.end('SIGTERM', 60_000)
  }
}

export class Patroni {
  readonly members: readonly Member[]
  readonly passwords: Passwords

  private constructor(members: readonly Member[], passwords: Passwords) {
    this.members = members
    this.passwords = passwords
  }

  static async start(folder: Folder, etcd: Etcd, disk: Folder = folder): Promise<Patroni> {
    const secret = () => randomBytes(12).toString('hex')
    const passwords = { superuser: secret(), replication: secret() }
    const members: Member[] = []
    for (const name of ['postgres1', 'postgres2']) {
      const place = { name, rest: await freePort(), postgres: await freePort(), data: disk.of(name) }
      const file = join(place.data, 'patroni.json')
      writeFileSync(file, JSON.stringify(settingsOf(place, etcd, passwords)), { mode: 0o600 })
      chownSync(file, folder.owner.uid, folder.owner.gid)
      const patroni = new Program({
        name: `patroni of ${name}`,
        file: 'patroni',
        args: [file],
        env: { HOME: place.data, LC_ALL: 'C.UTF-8' },
        log: folder.log(name),
        owner: folder.owner,
      })
      const member = new Member(place, patroni)
      member.start()
      members.push(member)
      // The first makes the database, the second copies it.
      const role = members.length === 1 ? 'primary' : 'replica'
      await until(`${name} as ${role}`, () => member.is(role), 120)
    }
    const cluster = new Patroni(members, passwords)
    // Patroni ends with this process, and PostgreSQL would go on without it.
    process.once('exit', () => {
      for (const { postgresPid } of members) if (postgresPid) process.kill(postgresPid, 'SIGKILL')
    })
    await until('a synchronous standby', async () => (await cluster.standby('sync')) !== undefined)
    return cluster
  }

  async primary(): Promise<Member | undefined> {
    for (const member of this.members) if (await member.is('primary')) return member
    return undefined
  }

  async standby(role: 'replica' | 'sync' = 'replica'): Promise<Member | undefined> {
    for (const member of this.members) if (await member.is(role)) return member
    return undefined
  }

  async checkpointStandby(): Promise<void> {
    const standby = await this.standby()
    if (!standby) return
    const connectionString = `postgres://postgres:${this.passwords.superuser}@127.0.0.1:${standby.place.postgres}/postgres`
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query('checkpoint')
    await client.end()
  }

  async stop(): Promise<void> {
    // The primary last, or it would be handed over.
    const primary = await this.primary()
    for (const member of this.members) if (member !== primary) await member.stop()
    await primary?.stop()
  }
}
