import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Metered, MeteredNode } from '../../metering/seed.ts'
import { Agents } from '../agents.ts'
import type { Cluster } from '../cluster.ts'
import type { Instance } from '../parts/instance.ts'
import type { Member } from '../parts/patroni.ts'
import type { Run } from '../run.ts'
import { type AlertWatch, dataFolder } from './watch.ts'

/** A cluster in which things are made wrong on purpose: one small instance, with a small disk and a clock that can be turned. */

export interface Stage {
  readonly cluster: Cluster
  readonly run: Run
  readonly watch: AlertWatch
  readonly instance: Instance
  /** How the instance is started. */
  readonly env: Readonly<Record<string, string>>
  /** The same, with a clock that can be turned. */
  readonly turnedEnv: Readonly<Record<string, string>>
  readonly lone: LoneAgent
  readonly connect: () => Promise<pg.Client>
  /** Which the instance reads from. */
  readonly standby: Member
  readonly turnClock: (seconds: number) => void
}

export type End = () => Promise<void>

/** What makes rules fire. */
export interface Cause {
  readonly title: string
  readonly alerts: readonly string[]
  /** Gives back how to end it. */
  readonly begin: (stage: Stage) => Promise<End>
}

const libraries = ['/usr/lib/x86_64-linux-gnu/faketime', '/usr/lib/aarch64-linux-gnu/faketime']

const command = (...words: string[]): void => {
  const [program = '', ...args] = words
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
}

export const databaseName = ({ databaseUrl }: Metered): string => new URL(databaseUrl).pathname.slice(1)

/** The agent of one node, which is not among those of the run. */
export class LoneAgent {
  readonly node: MeteredNode
  readonly #make: () => Agents
  #agents: Agents

  constructor(port: number, metered: Metered, node: MeteredNode) {
    this.node = node
    this.#make = () => new Agents(port, { ...metered, nodes: [node] })
    this.#agents = this.#make()
    this.#agents.start()
  }

  start(): void {
    this.#agents = this.#make()
    this.#agents.start()
  }

  stop(): Promise<void> {
    return this.#agents.stop()
  }
}

export interface SmallInstance
  extends Pick<Stage, 'instance' | 'env' | 'turnedEnv' | 'turnClock' | 'standby'> {
  readonly leave: () => void
}

/** Starts the only instance anew with a disk of its own, few connections, little patience, and a standby to read from. */
export const startSmall = async (cluster: Cluster, metered: Metered): Promise<SmallInstance> => {
  await cluster.startInstances(1, metered)
  const [instance] = cluster.instances
  const standby = await cluster.patroni.standby()
  const library = libraries.map((folder) => join(folder, 'libfaketime.so.1')).find((path) => existsSync(path))
  if (!instance || !standby || !library) throw new Error('An instance, a standby and faketime are needed')
  await instance.stop()
  const disk = dataFolder(cluster, instance.port)
  command('mount', '-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', disk)
  const leave = () => command('umount', '-l', disk)
  process.once('exit', () => spawnSync('umount', ['-l', disk]))
  const replicaUrl = Object.assign(new URL(cluster.databaseUrl(databaseName(metered))), {
    port: String(standby.place.postgres),
  }).href
  const clock = join(cluster.folder.path, 'clock')
  const turnClock = (seconds: number) => writeFileSync(clock, `+${seconds}\n`)
  turnClock(0)
  const env = {
    DATABASE_REPLICA_URL: replicaUrl,
    DATABASE_POOL: '6',
    MAX_WAITING_REQUESTS: '250',
  }
  const turnedEnv = {
    ...env,
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_CACHE_DURATION: '1',
  }
  await instance.start(env)
  return { instance, env, turnedEnv, turnClock, standby, leave }
}
