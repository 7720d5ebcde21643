import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { feed, runNft } from '../process/feed.ts'

export interface PortBytes {
  /** Came in at the port. */
  readonly up: number
  /** Left from it. */
  readonly down: number
}

/** What one port has moved since it was opened. */
export interface PortCount {
  read(): Promise<PortBytes>
  close(): Promise<void>
}

type Side = keyof PortBytes
const sides: readonly Side[] = ['up', 'down']

const nothing: PortBytes = { up: 0, down: 0 }

/** Goes on where its counter begins anew. */
class Sum {
  total = nothing
  #last = nothing

  take(now: PortBytes): void {
    const grown = (side: Side) => now[side] - (now[side] >= this.#last[side] ? this.#last[side] : 0)
    this.total = { up: this.total.up + grown('up'), down: this.total.down + grown('down') }
    this.#last = now
  }

  beginAnew(): void {
    this.#last = nothing
  }
}

const nameOf = (side: Side, port: number): string => `${side}_${port}`

const eachSide = (ports: readonly number[], line: (side: Side, port: number) => string): string =>
  ports.flatMap((port) => sides.map((side) => line(side, port))).join('\n')

const countLines = (table: string, ports: readonly number[]): string =>
  eachSide(ports, (side, port) => {
    const name = nameOf(side, port)
    return `add counter inet ${table} ${name}\nadd element inet ${table} ${side} { ${port} : "${name}" }`
  })

const forgetLines = (table: string, ports: readonly number[]): string =>
  eachSide(
    ports,
    (side, port) =>
      `delete element inet ${table} ${side} { ${port} }\ndelete counter inet ${table} ${nameOf(side, port)}`,
  )

/** Only what belongs to a connection: what strangers throw at a port is nobody's traffic. */
export const meterScript = (table: string, ports: readonly number[]): string => `table inet ${table}
delete table inet ${table}
table inet ${table} {
  map up { type inet_service : counter; }
  map down { type inet_service : counter; }
  chain in {
    type filter hook input priority filter; policy accept;
    ct state established,untracked counter name tcp dport map @up
  }
  chain out {
    type filter hook output priority filter; policy accept;
    ct state established,untracked counter name tcp sport map @down
  }
}
${countLines(table, ports)}`

interface Counter {
  readonly name: string
  readonly packets: number
  readonly bytes: number
}

/** IPv4 and TCP with timestamps: what nearly every packet has at least, and an acknowledgement has alone. */
const headerBytes = 52

/** What each counter has counted by its name, from what nft lists: bytes that were carried, without the packets around them. */
export const countersIn = (listed: string): Map<string, number> => {
  const { nftables } = JSON.parse(listed) as { nftables: readonly { counter?: Counter }[] }
  const counters = nftables.flatMap(({ counter }) => counter ?? [])
  return new Map(
    counters.map(({ name, packets, bytes }) => [name, Math.max(0, bytes - packets * headerBytes)]),
  )
}

/** Bytes at ports of customers' programs as the kernel sees them, whatever the programs count themselves. */
export class PortMeter {
  readonly #table: string
  readonly #sums = new Map<number, Sum>()
  #queue: Promise<unknown> = Promise.resolve()
  #reading: Promise<void> | null = null

  /** Agents on one machine need names of their own; the same agent finds its table again. */
  constructor(directory: string) {
    const name = createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 12)
    this.#table = `sallyport_ports_${name}`
  }

  /** Null where the kernel does not count for us (it needs Linux, nftables and CAP_NET_ADMIN). */
  open(port: number): Promise<PortCount | null> {
    return this.#exclusively(async () => {
      const sum = new Sum()
      this.#sums.set(port, sum)
      try {
        await this.#add(port)
      } catch {
        this.#sums.delete(port)
        return null
      }
      const read = () => this.#readAll().then(() => sum.total)
      return { read, close: () => this.#forget(port, sum) }
    })
  }

  /** When no program is left. */
  remove(): Promise<void> {
    return this.#exclusively(async () => {
      if (this.#sums.size > 0) return
      await runNft(`table inet ${this.#table}\ndelete table inet ${this.#table}`).catch(() => {})
    })
  }

  /** The first finds no table, or that of an earlier agent. */
  async #add(port: number): Promise<void> {
    if (this.#sums.size === 1) await this.#restore()
    else await runNft(countLines(this.#table, [port])).catch(() => this.#restore())
  }

  async #restore(): Promise<void> {
    await runNft(meterScript(this.#table, [...this.#sums.keys()]))
    for (const sum of this.#sums.values()) sum.beginAnew()
  }

  #forget(port: number, sum: Sum): Promise<void> {
    return this.#exclusively(async () => {
      if (this.#sums.get(port) !== sum) return
      this.#sums.delete(port)
      await runNft(forgetLines(this.#table, [port])).catch(() => {})
    })
  }

  /** Everybody who asks meanwhile shares the answer. */
  #readAll(): Promise<void> {
    this.#reading ??= this.#exclusively(() => this.#look()).finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #look(): Promise<void> {
    try {
      const listed = await feed('nft', ['-j', 'list', 'counters', 'table', 'inet', this.#table], '')
      const counted = countersIn(listed)
      for (const [port, sum] of this.#sums) {
        const [up, down] = sides.map((side) => counted.get(nameOf(side, port)))
        if (up === undefined || down === undefined) throw new Error(`nothing counts port ${port}`)
        sum.take({ up, down })
      }
    } catch {
      // A firewall that is started again takes all tables away.
      await this.#restore().catch(() => {})
    }
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => {})
    return result
  }
}
