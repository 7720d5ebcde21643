import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, constants, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { messageOf } from '../../common/backoff.ts'
import { runNft } from '../process/feed.ts'
import {
  type Allowance,
  goEnvironment,
  identity,
  type Means,
  prefix,
  whatIsMissing,
  whatWorksHere,
} from './confinement-means.ts'
import { noWall, type Reach, resolversIn, wall } from './confinement-rules.ts'

const firstUid = 200_000
const uidCount = 100_000
const lookEveryMs = 30_000
const markerName = 'SALLYPORT_CONFINED'
/** Of every confinement in this process, so that no two programs ever share a user. */
const takenUids = new Set<number>()

/** What one program may do beyond the ordinary. */
export interface Leave {
  /** Private places that it may reach. */
  readonly reach?: readonly Reach[]
  /** Where it listens; ports below 1024 need a capability. */
  readonly port?: number
}

/** A place for one program: a user of its own, as long as it is held. */
export interface Cell {
  readonly uid: number
  readonly leave: Leave
}

export interface ConfinementOptions {
  readonly directory: string
  /** Tells the engines of one directory apart. */
  readonly name: string
  readonly allowPrivateTargets: boolean
  /** How often to see whether the wall still stands. */
  readonly lookEveryMs?: number
}

interface SpawnOptions extends Allowance {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Open descriptors that the program inherits as number 4 and on. */
  readonly files?: readonly number[]
}

/** Runs programs whose configuration a customer wrote, so that each can harm only itself. */
export class Confinement {
  readonly #tag: string
  readonly #means: Means
  readonly #lookEveryMs: number
  readonly #cells = new Set<Cell>()
  #loading: Promise<unknown> = Promise.resolve()
  #waiting: Promise<void> | null = null
  #resolvConf: string | null = null
  #watch: NodeJS.Timeout | undefined

  private constructor(tag: string, means: Means, everyMs: number) {
    this.#tag = tag
    this.#means = means
    this.#lookEveryMs = everyMs
  }

  static async create(options: ConfinementOptions): Promise<Confinement> {
    const { directory, name, allowPrivateTargets } = options
    const tag = createHash('sha256')
      .update(`${resolve(directory)} ${name}`)
      .digest('hex')
      .slice(0, 16)
    const means = await whatWorksHere(tableOf(tag), !allowPrivateTargets)
    return new Confinement(tag, means, options.lookEveryMs ?? lookEveryMs)
  }

  /** Stands in the environment of every program that was started from here, by an earlier agent too. */
  get marker(): string {
    return `${markerName}=${this.#tag}`
  }

  /** Whether the kernel keeps every packet from private networks. */
  get hasWall(): boolean {
    return this.#means.nft !== null
  }

  /** What this machine does not allow, in one sentence for a report; null when nothing is missing. */
  get limitation(): string | null {
    return whatIsMissing(this.#means)
  }

  /** Takes a user and walls it in. Rejects when the wall cannot be had: then nothing may be started. */
  async admit(id: string, leave: Leave = {}): Promise<Cell> {
    const cell = { uid: this.#takeUid(id), leave }
    this.#cells.add(cell)
    try {
      await this.#reload()
    } catch (error) {
      this.release(cell)
      throw new Error(`private networks cannot be closed off (${messageOf(error)})`)
    }
    // Others change this machine's network too: a firewall that is started again takes all tables away.
    if (this.hasWall) this.#watch ??= setInterval(() => void this.#look(), this.#lookEveryMs).unref()
    return cell
  }

  /** When its program has ended. */
  release(cell: Cell): void {
    if (this.#cells.delete(cell)) takenUids.delete(cell.uid)
  }

  spawn({ uid, leave }: Cell, binary: string, options: SpawnOptions): ChildProcess {
    const { args, env = {}, files = [] } = options
    // By a descriptor, because the program's user may not be able to walk to where the binary is kept.
    const program = openSync(binary, constants.O_RDONLY)
    const path = this.#means.hasUsers ? '/proc/self/fd/3' : binary
    const [file = path, ...rest] = [...prefix(this.#means, uid, leave.port ?? 1024, options), path, ...args]
    try {
      return spawn(file, rest, {
        cwd: '/',
        env: { ...goEnvironment, ...env, [markerName]: this.#tag },
        stdio: ['pipe', 'pipe', 'pipe', program, ...files],
        ...identity(this.#means, uid),
      })
    } finally {
      closeSync(program)
    }
  }

  /** Who must own a file that the program is to read, or null when it runs as ourselves. */
  ownerOf({ uid }: Cell): number | null {
    return this.#means.hasUsers ? uid : null
  }

  /** Takes the wall away; for when no program is left. One that stays behind holds nobody. */
  async remove(): Promise<void> {
    clearInterval(this.#watch)
    this.#watch = undefined
    const { nft } = this.#means
    if (nft === null) return
    await this.#loading
    await runNft(noWall(tableOf(this.#tag)), nft).catch(() => {})
  }

  /** The same one for the same program where it can be had, so that its traces can be told by user. */
  #takeUid(id: string): number {
    const start = createHash('sha256').update(`${this.#tag} ${id}`).digest().readUInt32BE() % uidCount
    for (let step = 0; step < uidCount; step += 1) {
      const uid = firstUid + ((start + step) % uidCount)
      if (takenUids.has(uid)) continue
      takenUids.add(uid)
      return uid
    }
    throw new Error('every user is taken')
  }

  /** Calls that come while the filter is being loaded share the next load. */
  #reload(): Promise<void> {
    const { nft } = this.#means
    if (nft === null) return Promise.resolve()
    if (this.#waiting) return this.#waiting
    const waiting = this.#loading.then(() => {
      this.#waiting = null
      return this.#load(nft)
    })
    this.#waiting = waiting
    this.#loading = waiting.catch(() => {})
    return waiting
  }

  /** Loads the wall again when it is gone, or when this machine asks other resolvers. */
  async #look(): Promise<void> {
    const { nft } = this.#means
    if (nft === null || this.#cells.size === 0) return
    const isSound =
      (await readResolvConf()) === this.#resolvConf &&
      (await runNft(`list chain inet ${tableOf(this.#tag)} inside`, nft).then(
        () => true,
        () => false,
      ))
    // What was asked before the removal may be answered after it.
    if (isSound || this.#watch === undefined) return
    await this.#reload().catch(() => {})
  }

  async #load(nft: string): Promise<void> {
    const resolvConf = await readResolvConf()
    const resolvers = resolversIn(resolvConf)
    const walled = [...this.#cells].map(({ uid, leave }) => ({ uid, reach: leave.reach ?? [] }))
    await runNft(wall(tableOf(this.#tag), walled, resolvers), nft)
    this.#resolvConf = resolvConf
  }
}

const readResolvConf = (): Promise<string> => readFile('/etc/resolv.conf', 'utf8').catch(() => '')
const tableOf = (tag: string): string => `sallyport_confined_${tag}`
