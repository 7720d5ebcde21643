import {
  isShared,
  nameOfAccess,
  networksOf,
  proxyTag,
  type XrayAccess,
  type XrayServed,
} from '@sallyport/domain/vpn/engine/xray-accounts'
import {
  type AcceptedConnection,
  type LiveConnection,
  LiveConnections,
  parseAccessLine,
} from '../net/live-connections.ts'
import { destroySockets, openRemotes, whySocketsCannotBeDestroyed } from '../net/sockets.ts'
import type { PacketFilter } from './packet-filter.ts'

const smallestSweep = 1000

interface Listener {
  readonly port: number
  /** How a client came when the line does not say. */
  readonly network: LiveConnection['network']
  /** The one customer of a proxy, whose lines name nobody. */
  readonly owner: string | null
}

/** Shadowsocks 2022 writes the same line for both networks. */
const unsaidNetwork = (protocol: string): LiveConnection['network'] => {
  if (protocol === 'hysteria2') return 'udp'
  return protocol === 'shadowsocks-2022' ? 'any' : 'tcp'
}

/** Ends open connections of accesses that Xray no longer serves. */
export class ConnectionCutter {
  readonly #live = new LiveConnections()
  readonly #listeners = new Map<string, Listener>()
  readonly #filter: PacketFilter
  #mark = ''
  #ids: ReadonlySet<string> = new Set()
  #incapable: string | null = null
  #lastCallFailed = false
  #sweepAtSize = smallestSweep
  #hasUdp = false

  constructor(filter: PacketFilter) {
    this.#filter = filter
  }

  /** Finds out whether this machine lets us end connections at all. */
  async probe(ask = whySocketsCannotBeDestroyed): Promise<void> {
    this.#incapable = await ask()
  }

  /** How many connections are remembered. */
  get size(): number {
    return this.#live.size
  }

  /** What stands in the way of ending connections, for the report; null when nothing does. */
  get limitation(): string | null {
    const reason = this.#incapable ?? (this.#lastCallFailed ? 'the last attempt failed' : null)
    const udpReason = this.#hasUdp ? this.#filter.incapable : null
    const limits = [
      reason && `open connections of removed customers cannot be ended: ${reason}`,
      udpReason && `open UDP sessions of removed customers cannot be ended: ${udpReason}`,
    ]
    return limits.filter(Boolean).join('; ') || null
  }

  /** Another run of Xray begins, whose true lines carry this mark. */
  begin(mark: string): void {
    this.#live.clear()
    this.#mark = mark
  }

  /** Connections of anybody else are ended from now on, also those that show up late. */
  serve({ inbounds, accesses }: XrayServed): void {
    for (const { tag, port, protocol } of inbounds) {
      this.#listeners.set(tag, { port, network: unsaidNetwork(protocol), owner: null })
    }
    for (const access of accesses) this.#serveProxy(access)
    this.#ids = new Set(accesses.map(nameOfAccess))
    this.#hasUdp = inbounds.some(({ protocol }) => networksOf(protocol).includes('udp'))
  }

  #serveProxy(access: XrayAccess): void {
    if (isShared(access)) return
    const { id, port } = access
    this.#listeners.set(proxyTag(id), { port, network: 'tcp', owner: id })
  }

  /** Takes a line of Xray's access log. */
  read(line: string): void {
    const accepted = parseAccessLine(line)
    const connection = accepted && this.#connectionOf(accepted)
    if (!connection) return
    if (!this.#canEnd(connection)) return
    if (this.#ids.has(connection.id)) this.#live.add(connection)
    else void this.#destroy([connection])
    if (this.#live.size > this.#sweepAtSize) void this.#sweep()
  }

  /** What could not be ended anyway need not be remembered. */
  #canEnd({ network }: LiveConnection): boolean {
    const canEndTcp = network !== 'udp' && this.#incapable === null
    const canEndUdp = network !== 'tcp' && this.#filter.incapable === null
    return canEndTcp || canEndUdp
  }

  #connectionOf({ network, remote, inbound, outbound, user }: AcceptedConnection): LiveConnection | null {
    const listener = this.#listeners.get(inbound)
    const id = listener?.owner ?? user
    if (!listener || id === null || !outbound.endsWith(`~${this.#mark}`)) return null
    return { network: network ?? listener.network, localPort: listener.port, remote, id }
  }

  async cut(ids: ReadonlySet<string>): Promise<void> {
    // A line that comes before the next call of serve belongs to somebody just removed.
    this.#ids = new Set([...this.#ids].filter((id) => !ids.has(id)))
    await this.#destroy(this.#live.take(ids))
  }

  /**
   * Ends what the client opens again at once. A starved UDP session is noticed by the client only after half
   * a minute, so for somebody who is served on, those go on.
   */
  async cutTcp(ids: ReadonlySet<string>): Promise<void> {
    const taken = this.#live.take(ids)
    for (const connection of taken) if (connection.network !== 'tcp') this.#live.add(connection)
    await this.#destroyTcp(taken.filter(({ network }) => network !== 'udp'))
  }

  async #destroy(connections: readonly LiveConnection[]): Promise<void> {
    await this.#destroyTcp(connections.filter(({ network }) => network !== 'udp'))
    const overUdp = connections.filter(({ network }) => network !== 'tcp')
    await this.#eachPort(overUdp, (port, remotes) => this.#filter.block(port, remotes))
  }

  async #destroyTcp(connections: readonly LiveConnection[]): Promise<void> {
    if (this.#incapable === null) await this.#eachPort(connections, destroySockets)
  }

  async #eachPort(
    connections: readonly LiveConnection[],
    end: (port: number, remotes: readonly string[]) => Promise<void>,
  ): Promise<void> {
    for (const [port, group] of Map.groupBy(connections, ({ localPort }) => localPort)) {
      const remotes = group.map(({ remote }) => remote)
      await this.#attempt(() => end(port, remotes))
    }
  }

  /** Closed connections are not logged, so the list is compared with the open sockets when it has doubled. */
  async #sweep(): Promise<void> {
    this.#sweepAtSize = Number.POSITIVE_INFINITY
    const canList = this.#incapable === null
    for (const port of this.#live.localPorts) {
      await this.#attempt(() => this.#live.sweep(port, async () => (canList ? openRemotes(port) : new Set())))
    }
    this.#sweepAtSize = Math.max(smallestSweep, this.#live.size * 2)
  }

  /** The error itself is dropped: it quotes the command line, and with it customers' addresses. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    this.#lastCallFailed = await work().then(
      () => false,
      () => true,
    )
  }
}
