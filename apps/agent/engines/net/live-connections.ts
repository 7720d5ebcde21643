/**
 * Which remote endpoint belongs to which access. Xray forgets a removed user but lets its open connections
 * run on, and offers no way to end them; its access log is the only place that says whose socket is whose.
 * The log reaches the agent through a pipe and is kept here in memory only, never written anywhere.
 */

export interface AcceptedConnection {
  /** How the client came, where the line says so. */
  readonly network: 'tcp' | 'udp' | null
  /** address:port of the client, IPv6 in brackets, as Xray prints it. */
  readonly remote: string
  readonly inbound: string
  readonly outbound: string
  /** Null on proxies, whose lines name nobody. */
  readonly user: string | null
}

export interface LiveConnection {
  /** any: the log does not say, as for Shadowsocks 2022. */
  readonly network: 'tcp' | 'udp' | 'any'
  readonly localPort: number
  readonly id: string
  readonly remote: string
}

interface Kept extends LiveConnection {
  readonly order: number
  readonly seenAtMs: number
}

const acceptedPattern =
  /^\S+ \S+ from (?:(tcp|udp):)?(\S+) accepted .* \[(\S+) (?:->|>>|==>) (\S+)\](?: email: (\S+))?$/

/** The connection that a line of Xray's access log tells of, or null for any other line. */
export const parseAccessLine = (line: string): AcceptedConnection | null => {
  const [, network, remote, inbound, outbound, user] = acceptedPattern.exec(line) ?? []
  if (!remote || !inbound || !outbound) return null
  return { network: (network as 'tcp' | 'udp') ?? null, remote, inbound, outbound, user: user ?? null }
}

/** Nothing says when a UDP session has ended; one that has shown no sign for so long is given up. */
const udpForgottenAfterMs = 10 * 60 * 1000

/** Far more than one customer's devices hold open; a flood must not fill this machine's memory. */
export const mostPerAccess = 4096

export class LiveConnections {
  readonly #byEndpoint = new Map<string, Kept>()
  /** Endpoints of each access, the one that has shown no sign for longest first. */
  readonly #endpointsOf = new Map<string, Set<string>>()
  #order = 0

  get size(): number {
    return this.#byEndpoint.size
  }

  get localPorts(): Set<number> {
    return new Set(this.#byEndpoint.values().map(({ localPort }) => localPort))
  }

  /** A client port that was reused belongs to whoever came last. */
  add(connection: LiveConnection, seenAtMs = Date.now()): void {
    this.#order += 1
    const { network, localPort, remote, id } = connection
    const key = `${network} ${localPort} ${remote}`
    this.#forget(key)
    this.#byEndpoint.set(key, { ...connection, order: this.#order, seenAtMs })
    const own = this.#endpointsOf.get(id) ?? new Set()
    this.#endpointsOf.set(id, own.add(key))
    const [oldest] = own
    if (own.size > mostPerAccess && oldest !== undefined) this.#forget(oldest)
  }

  #forget(key: string): void {
    const kept = this.#byEndpoint.get(key)
    if (!kept) return
    this.#byEndpoint.delete(key)
    const own = this.#endpointsOf.get(kept.id)
    own?.delete(key)
    if (own?.size === 0) this.#endpointsOf.delete(kept.id)
  }

  /** Takes out and returns the connections of these accesses. */
  take(ids: ReadonlySet<string>): LiveConnection[] {
    const taken: LiveConnection[] = []
    for (const [key, { order, seenAtMs, ...connection }] of this.#byEndpoint) {
      if (!ids.has(connection.id)) continue
      taken.push(connection)
      this.#forget(key)
    }
    return taken
  }

  /** Forgets the connections on this port that are not open, save those added while the question was asked. */
  async sweep(
    localPort: number,
    openRemotes: () => Promise<ReadonlySet<string>>,
    nowMs = Date.now(),
  ): Promise<void> {
    const askedAt = this.#order
    const open = await openRemotes()
    for (const [key, { network, seenAtMs, ...connection }] of this.#byEndpoint) {
      const isOld = connection.localPort === localPort && connection.order <= askedAt
      const maySleep = network !== 'tcp' && nowMs - seenAtMs < udpForgottenAfterMs
      if (isOld && !maySleep && !open.has(connection.remote)) this.#forget(key)
    }
  }

  clear(): void {
    this.#byEndpoint.clear()
    this.#endpointsOf.clear()
  }
}
