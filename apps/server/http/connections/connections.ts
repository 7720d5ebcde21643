import type { Socket } from 'node:net'
import { ipKey } from '@sallyport/domain/identity/ip-key'

/** Who is connected. Strangers may come in any number; what they can hold at once is bounded here. */

export interface ConnectionLimits {
  /** ClientConnections at once. */
  readonly most: number
  /** Of these, from one address. */
  readonly mostOfAddress: number
  /** Beyond `most`, for questions about health alone. */
  readonly reserve: number
  /** Addresses behind which many customers stand: proxies. */
  readonly isShared: (address: string) => boolean
}

export interface ClientConnection {
  readonly socket: Socket
  readonly address: string
  /** Came when nothing was left but the reserve. */
  readonly isReserve: boolean
  /** Requests whose answers have not gone out. */
  unanswered: number
  /** Of these, how many somebody works on; the others still arrive, or their answers are not read. */
  working: number
  /** Grows with every connection that begins to wait: the lowest has waited longest. */
  waitingSince: number
  /** When it was first seen not to have read all it was sent. */
  unreadSinceMs: number | undefined
  /** What it had read by then. */
  readThen: number
  /** Asked for too much on one connection; nothing more is heard from it. */
  isRefused: boolean
}

/** Whoever reads less in the time that an answer may lie unread is not downloading, but holding a place. */
const leastRead = 256 * 1024

export class ClientConnections {
  readonly #limits: ConnectionLimits
  readonly #connections = new Map<Socket, ClientConnection>()
  readonly #counts = new Map<string, number>()
  #reserved = 0
  #turns = 0
  #welcomed = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** How many have come so far. */
  get welcomed(): number {
    return this.#welcomed
  }

  get size(): number {
    return this.#connections.size
  }

  of(socket: Socket): ClientConnection | undefined {
    return this.#connections.get(socket)
  }

  /**
   * Lets a connection in. When there are too many, of this address or altogether, the one that has waited longest gives
   * way, of those for whom nobody works: honest callers ask at once and read, and those who hold a place lose it.
   */
  welcome(socket: Socket): void {
    this.#welcomed++
    const { most, mostOfAddress, reserve, isShared } = this.#limits
    const address = ipKey(socket.remoteAddress ?? '')
    const isCrowd = !isShared(socket.remoteAddress ?? '') && (this.#counts.get(address) ?? 0) >= mostOfAddress
    const ordinary = this.#connections.size - this.#reserved
    const hasRoom = !isCrowd || this.#dismissOldest((connection) => connection.address === address)
    const isReserve =
      hasRoom && ordinary >= most && !this.#dismissOldest((connection) => !connection.isReserve)
    const isOver =
      isReserve && this.#reserved >= reserve && !this.#dismissOldest((connection) => connection.isReserve)
    if (hasRoom && !isOver) this.#admit(socket, address, isReserve)
    else socket.destroy()
  }

  begin(connection: ClientConnection): void {
    connection.working++
  }

  /** Nobody works for it any more, and it may give way to others. */
  rest(connection: ClientConnection): void {
    connection.working--
    connection.waitingSince = this.#turns++
  }

  /** Those who ask nothing are told that nothing more will be answered. */
  endWaiting(): void {
    for (const { socket, unanswered } of this.#connections.values())
      if (unanswered === 0) socket.destroySoon()
  }

  /** Puts out who has not read what it was sent for so long; what is large may take longer while it is being read. */
  dismissDeaf(nowMs: number, patienceMs: number): void {
    for (const connection of this.#connections.values()) {
      const { socket, unreadSinceMs } = connection
      const isOver = unreadSinceMs !== undefined && nowMs - unreadSinceMs >= patienceMs
      const read = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0) connection.unreadSinceMs = undefined
      else if (isOver && read - connection.readThen < leastRead) socket.destroy()
      else if (isOver || unreadSinceMs === undefined) {
        connection.unreadSinceMs = nowMs
        connection.readThen = read
      }
    }
  }

  dismissAll(): void {
    for (const { socket } of this.#connections.values()) socket.destroy()
  }

  #admit(socket: Socket, address: string, isReserve: boolean): void {
    const connection: ClientConnection = {
      socket,
      address,
      isReserve,
      unanswered: 0,
      working: 0,
      waitingSince: this.#turns++,
      unreadSinceMs: undefined,
      readThen: 0,
      isRefused: false,
    }
    this.#connections.set(socket, connection)
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1)
    if (isReserve) this.#reserved++
    socket.once('close', () => this.#forget(connection))
  }

  #dismissOldest(mayGo: (connection: ClientConnection) => boolean): boolean {
    let oldest: ClientConnection | undefined
    for (const connection of this.#connections.values()) {
      if (connection.working > 0 || !mayGo(connection)) continue
      if (!oldest || connection.waitingSince < oldest.waitingSince) oldest = connection
    }
    if (!oldest) return false
    this.#forget(oldest)
    oldest.socket.destroy()
    return true
  }

  #forget(connection: ClientConnection): void {
    if (!this.#connections.delete(connection.socket)) return
    if (connection.isReserve) this.#reserved--
    const left = (this.#counts.get(connection.address) ?? 1) - 1
    if (left > 0) this.#counts.set(connection.address, left)
    else this.#counts.delete(connection.address)
  }
}
