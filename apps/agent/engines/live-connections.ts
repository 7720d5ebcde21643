/**
 * Which remote endpoint belongs to which access. Xray forgets a removed user but lets its open connections
 * run on, and offers no way to end them; its access log is the only place that says whose socket is whose.
 * The log reaches the agent through a pipe and is kept here in memory only, never written anywhere.
 */

export interface AcceptedConnection {
  readonly inbound: string
  readonly id: string
  /** address:port of the client, IPv6 in brackets, as Xray prints it. */
  readonly remote: string
}

export interface LiveConnection {
  readonly localPort: number
  readonly id: string
  readonly remote: string
}

const acceptedPattern = /\bfrom (?:tcp:|udp:)?(\S+) accepted \S+ \[(\S+) \S+ \S+\] email: (\S+)$/

/** The connection that a line of Xray's access log tells of, or null for any other line. */
export const parseAccessLine = (line: string): AcceptedConnection | null => {
  const [, remote, inbound, id] = acceptedPattern.exec(line) ?? []
  return remote && inbound && id ? { remote, inbound, id } : null
}

export class LiveConnections {
  readonly #byEndpoint = new Map<string, LiveConnection & { readonly order: number }>()
  #order = 0

  get size(): number {
    return this.#byEndpoint.size
  }

  get localPorts(): Set<number> {
    return new Set(this.#byEndpoint.values().map(({ localPort }) => localPort))
  }

  /** A client port that was reused belongs to whoever came last. */
  add(connection: LiveConnection): void {
    this.#order += 1
    this.#byEndpoint.set(`${connection.localPort} ${connection.remote}`, {
      ...connection,
      order: this.#order,
    })
  }

  /** Takes out and returns the connections of these accesses. */
  take(ids: ReadonlySet<string>): LiveConnection[] {
    const taken: LiveConnection[] = []
    for (const [key, { order, ...connection }] of this.#byEndpoint) {
      if (!ids.has(connection.id)) continue
      taken.push(connection)
      this.#byEndpoint.delete(key)
    }
    return taken
  }

  /** Forgets the connections on this port that are not open, save those added while the question was asked. */
  async sweep(localPort: number, openRemotes: () => Promise<ReadonlySet<string>>): Promise<void> {
    const askedAt = this.#order
    const open = await openRemotes()
    for (const [key, connection] of this.#byEndpoint) {
      const isOld = connection.localPort === localPort && connection.order <= askedAt
      if (isOld && !open.has(connection.remote)) this.#byEndpoint.delete(key)
    }
  }

  clear(): void {
    this.#byEndpoint.clear()
  }
}
