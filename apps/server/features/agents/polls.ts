import { type ApiError, conflict } from '@sallyport/contract/errors'
import type { Bus } from '../../core/kernel/bus.ts'
import type { Db } from '../../db/client.ts'

/**
 * Who waits for news of its node here: one a node, on all instances together. Agents ask once at a time, so an older question
 * is one whose asker is gone, or somebody who asks without end.
 */

const prefix = 'poll:'

export class OpenPoll {
  readonly nodeId: number
  readonly #bus: Bus
  readonly #ended = new AbortController()
  readonly #name: string = crypto.randomUUID()
  #isAnnounced = false
  #isHeard = false
  #doubts = 0

  constructor(bus: Bus, nodeId: number) {
    this.#bus = bus
    this.nodeId = nodeId
  }

  get signal(): AbortSignal {
    return this.#ended.signal
  }

  /** How often it was said, since it began, that the node's key may be another now. */
  get doubts(): number {
    return this.#doubts
  }

  /** What is said late may speak of the very key that this one came with, so it looks again and is not ended. */
  doubt(): void {
    this.#doubts++
    this.#bus.deliver(`node:${this.nodeId}`)
  }

  end(reason: ApiError): void {
    this.#ended.abort(reason)
  }

  /** Throws why it is over, if it is. */
  check(): void {
    this.signal.throwIfAborted()
  }

  /** Tells other instances, once, that those before this one may go. */
  async announce(db: Db): Promise<void> {
    if (this.#isAnnounced) return
    this.#isAnnounced = true
    await this.#bus.publish(db, `${prefix}${this.nodeId}:${this.#name}`)
  }

  /** All instances hear messages in one order: whose own came before another's is the older. */
  hear(name: string): void {
    if (name === this.#name) this.#isHeard = true
    else if (this.#isHeard) this.end(replaced())
  }
}

const replaced = (): ApiError =>
  conflict('', 'the node has asked again since; whoever runs two agents with one identity stops one of them')

export class OpenPolls {
  readonly #bus: Bus
  readonly #byNode = new Map<number, OpenPoll>()

  constructor(bus: Bus) {
    this.#bus = bus
    bus.onPrefix(prefix, (said) => {
      const [nodeId, name = ''] = said.split(':')
      this.#byNode.get(Number(nodeId))?.hear(name)
    })
    bus.onPrefix('auth:n:', (nodeId) => this.#byNode.get(Number(nodeId))?.doubt())
  }

  begin(nodeId: number): OpenPoll {
    this.#byNode.get(nodeId)?.end(replaced())
    const poll = new OpenPoll(this.#bus, nodeId)
    this.#byNode.set(nodeId, poll)
    return poll
  }

  leave(poll: OpenPoll): void {
    if (this.#byNode.get(poll.nodeId) === poll) this.#byNode.delete(poll.nodeId)
  }
}
