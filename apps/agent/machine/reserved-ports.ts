import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../common/backoff.ts'
import { readJson, writeFileAtomically } from '../common/files.ts'
import { formatPorts, parsePorts, splitPorts } from './port-list.ts'

/**
 * Customers choose ports that lie where the kernel takes its own for outgoing connections. Reserved ones it leaves
 * alone; the list belongs to the whole machine, so whatever somebody else has put there stays there.
 */

/** Where the kernel keeps the list. */
export interface PortReserve {
  read(): Promise<string>
  write(list: string): Promise<void>
  /** Another one after every boot, which forgets the list. */
  bootId(): Promise<string>
}

const kernelFile = '/proc/sys/net/ipv4/ip_local_reserved_ports'
const bootIdFile = '/proc/sys/kernel/random/boot_id'
/** The kernel reads one page at a time. Written at the beginning the list is replaced, further on it is added to. */
const longestWrite = 4000

export const kernelReserve: PortReserve = {
  read: () => readFile(kernelFile, 'utf8'),
  bootId: async () => (await readFile(bootIdFile, 'utf8')).trim(),
  write: async (list) => {
    const file = await open(kernelFile, 'r+')
    try {
      let position = 0
      for (const piece of splitPorts(list, longestWrite)) {
        const text = `${piece}\n`
        await file.write(text, position)
        position += text.length
      }
    } finally {
      await file.close()
    }
  },
}

interface Kept {
  readonly bootId: string
  /** What was added by us, and by nobody else before. */
  readonly ports: string
}

export interface ReservedPortsOptions {
  readonly directory: string
  /** Reserved whatever is served, as "10000-29999". */
  readonly always?: string | undefined
  readonly log: (message: string) => void
  readonly reserve?: PortReserve
}

export class ReservedPorts {
  readonly #file: string
  readonly #always: ReadonlySet<number>
  readonly #log: (message: string) => void
  readonly #reserve: PortReserve
  #wanted: ReadonlySet<number> = new Set()
  #queue: Promise<void> = Promise.resolve()
  #problem: string | null = null

  constructor({ directory, always = '', log, reserve = kernelReserve }: ReservedPortsOptions) {
    this.#file = join(directory, 'reserved-ports.json')
    this.#always = parsePorts(always)
    this.#log = log
    this.#reserve = reserve
  }

  /** From now on these, and no more those of before. Never fails: engines serve without it too. */
  keep(ports: ReadonlySet<number>): Promise<void> {
    this.#wanted = ports.union(this.#always)
    return this.again()
  }

  /** Puts back what somebody took away. */
  again(): Promise<void> {
    this.#queue = this.#queue.then(() => this.#bring(this.#wanted)).catch((error) => this.#say(error))
    return this.#queue
  }

  /** Leaves the list as it would be without us. */
  release(): Promise<void> {
    this.#wanted = new Set()
    return this.again()
  }

  async #bring(wanted: ReadonlySet<number>): Promise<void> {
    const current = parsePorts(await this.#reserve.read())
    const bootId = await this.#reserve.bootId()
    const ours = await this.#added(bootId)
    const foreign = current.difference(ours)
    const added = wanted.difference(foreign)
    const isAsWished = current.size === foreign.size + added.size && added.isSubsetOf(current)
    if (isAsWished && formatPorts(added) === formatPorts(ours)) return
    // Noted first: what is in the list and not noted would count as somebody else's for ever.
    if (!isAsWished) await this.#note(bootId, ours.union(added))
    if (!isAsWished) await this.#reserve.write(formatPorts(foreign.union(added)))
    await this.#note(bootId, added)
    this.#problem = null
  }

  async #added(bootId: string): Promise<Set<number>> {
    const kept = (await readJson(this.#file).catch(() => null)) as Partial<Kept> | null
    return kept?.bootId === bootId && typeof kept.ports === 'string' ? parsePorts(kept.ports) : new Set()
  }

  async #note(bootId: string, ports: Set<number>): Promise<void> {
    const kept: Kept = { bootId, ports: formatPorts(ports) }
    await writeFileAtomically(this.#file, JSON.stringify(kept))
  }

  #say(error: unknown): void {
    const problem = messageOf(error)
    if (problem !== this.#problem) this.#log(`ports cannot be reserved here: ${problem}`)
    this.#problem = problem
  }
}
