import type { Served } from '../reconcile.ts'
import { type LiveConnection, LiveConnections, parseAccessLine } from './live-connections.ts'
import { destroySockets, openRemotes, whySocketsCannotBeDestroyed } from './sockets.ts'

const smallestSweep = 1000

/** Ends open connections of accesses that Xray no longer serves. */
export class ConnectionCutter {
  readonly #live = new LiveConnections()
  readonly #ports = new Map<string, number>()
  #ids: ReadonlySet<string> = new Set()
  #incapable: string | null = null
  #lastCallFailed = false
  #sweepAtSize = smallestSweep

  /** Finds out whether this machine lets us end connections at all. */
  async probe(): Promise<void> {
    this.#incapable = await whySocketsCannotBeDestroyed()
  }

  /** What stands in the way of ending connections, for the report; null when nothing does. */
  get limitation(): string | null {
    const reason = this.#incapable ?? (this.#lastCallFailed ? 'ss failed when it was last called' : null)
    return reason && `open connections of removed customers cannot be ended: ${reason}`
  }

  /** Connections of anybody else are ended from now on, also those that show up late. */
  serve({ inbounds, accesses }: Served): void {
    for (const { tag, port } of inbounds) this.#ports.set(tag, port)
    this.#ids = new Set(accesses.map(({ id }) => id))
  }

  /** Takes a line of Xray's access log. */
  read(line: string): void {
    if (this.#incapable !== null) return
    const accepted = parseAccessLine(line)
    const localPort = accepted && this.#ports.get(accepted.inbound)
    if (!accepted || localPort == null) return
    const connection = { localPort, remote: accepted.remote, id: accepted.id }
    if (this.#ids.has(accepted.id)) this.#live.add(connection)
    else void this.#destroy([connection])
    if (this.#live.size > this.#sweepAtSize) void this.#sweep()
  }

  async cut(ids: ReadonlySet<string>): Promise<void> {
    // A line that comes before the next call of serve belongs to somebody just removed.
    this.#ids = new Set([...this.#ids].filter((id) => !ids.has(id)))
    await this.#destroy(this.#live.take(ids))
  }

  forget(): void {
    this.#live.clear()
  }

  async #destroy(connections: readonly LiveConnection[]): Promise<void> {
    const byPort = Map.groupBy(connections, ({ localPort }) => localPort)
    for (const [port, group] of byPort) {
      await this.#attempt(() =>
        destroySockets(
          port,
          group.map(({ remote }) => remote),
        ),
      )
    }
  }

  /** Closed connections are not logged, so the list is compared with the open sockets when it has doubled. */
  async #sweep(): Promise<void> {
    this.#sweepAtSize = Number.POSITIVE_INFINITY
    for (const port of this.#live.localPorts) {
      await this.#attempt(() => this.#live.sweep(port, () => openRemotes(port)))
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
