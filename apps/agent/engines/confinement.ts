import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, constants, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { messageOf } from '../backoff.ts'
import {
  feedNft,
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
}

interface SpawnOptions {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Open descriptors that the program inherits as number 4 and on. */
  readonly files?: readonly number[]
}

/** Runs programs whose configuration a customer wrote, so that each can harm only itself. */
export class Confinement {
  readonly #tag: string
  readonly #means: Means
  readonly #cells = new Set<Cell>()
  #loading: Promise<unknown> = Promise.resolve()
  #waiting: Promise<void> | null = null

  private constructor(tag: string, means: Means) {
    this.#tag = tag
    this.#means = means
  }

  static async create({ directory, name, allowPrivateTargets }: ConfinementOptions): Promise<Confinement> {
    const tag = createHash('sha256').update(`${directory} ${name}`).digest('hex').slice(0, 16)
    return new Confinement(tag, await whatWorksHere(tableOf(tag), !allowPrivateTargets))
  }

  /** Stands in the environment of every program that was started from here, by an earlier agent too. */
  get marker(): string {
    return `${markerName}=${this.#tag}`
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
    return cell
  }

  /** When its program has ended. */
  release(cell: Cell): void {
    if (this.#cells.delete(cell)) takenUids.delete(cell.uid)
  }

  spawn({ uid, leave }: Cell, binary: string, { args, env = {}, files = [] }: SpawnOptions): ChildProcess {
    // By a descriptor, because the program's user may not be able to walk to where the binary is kept.
    const program = openSync(binary, constants.O_RDONLY)
    const path = this.#means.hasUsers ? '/proc/self/fd/3' : binary
    const [file = path, ...rest] = [...prefix(this.#means, uid, leave.port ?? 1024), path, ...args]
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
    const { nft } = this.#means
    if (nft === null) return
    await this.#loading
    await feedNft(nft, noWall(tableOf(this.#tag))).catch(() => {})
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

  async #load(nft: string): Promise<void> {
    const resolvers = resolversIn(await readFile('/etc/resolv.conf', 'utf8').catch(() => ''))
    const walled = [...this.#cells].map(({ uid, leave }) => ({ uid, reach: leave.reach ?? [] }))
    await feedNft(nft, wall(tableOf(this.#tag), walled, resolvers))
  }
}

const tableOf = (tag: string): string => `sallyport_confined_${tag}`
