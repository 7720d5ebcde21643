import type { Socket } from 'node:net'
import { ipKey } from '@sallyport/domain/ip-key'

/** Who is connected. Strangers may come in any number; what they can hold at once is bounded here. */

export interface GuestLimits {
  /** Connections at once. */
  readonly most: number
  /** Of these, from one address. */
  readonly mostOfAddress: number
  /** Beyond `most`, for questions about health alone. */
  readonly reserve: number
  /** Addresses behind which many customers stand: proxies. */
  readonly isShared: (address: string) => boolean
}

export interface Guest {
  readonly socket: Socket
  readonly address: string
  /** Came when nothing was left but the reserve. */
  readonly isReserve: boolean
  /** Requests that are not answered yet. */
  requests: number
  /** Grows with every guest that begins to wait: the lowest has waited longest. */
  waitingSince: number
  /** Asked for too much on one connection; nothing more is heard from it. */
  isRefused: boolean
}

export class Guests {
  readonly #limits: GuestLimits
  readonly #guests = new Map<Socket, Guest>()
  readonly #counts = new Map<string, number>()
  #reserved = 0
  #turns = 0
  #welcomed = 0

  constructor(limits: GuestLimits) {
    this.#limits = limits
  }

  /** How many have come so far. */
  get welcomed(): number {
    return this.#welcomed
  }

  get size(): number {
    return this.#guests.size
  }

  /**
   * Lets a connection in. When there are too many, of this address or altogether, the one that has waited longest without
   * asking anything gives way: honest callers ask at once, and those who only hold a place lose it.
   */
  welcome(socket: Socket): void {
    this.#welcomed++
    const address = ipKey(socket.remoteAddress ?? '')
    const { most, mostOfAddress, reserve, isShared } = this.#limits
    const isCrowd = !isShared(socket.remoteAddress ?? '') && (this.#counts.get(address) ?? 0) >= mostOfAddress
    const isRefused = isCrowd && !this.#dismissOldest(address)
    const isReserve = !isRefused && this.#guests.size >= most && !this.#dismissOldest()
    if (isRefused || (isReserve && this.#reserved >= reserve)) {
      socket.destroy()
      return
    }
    const guest = { socket, address, isReserve, requests: 0, waitingSince: this.#turns++, isRefused: false }
    this.#guests.set(socket, guest)
    this.#counts.set(address, (this.#counts.get(address) ?? 0) + 1)
    if (isReserve) this.#reserved++
    socket.once('close', () => this.#forget(guest))
  }

  of(socket: Socket): Guest | undefined {
    return this.#guests.get(socket)
  }

  /** Has been answered and asks nothing more for now. */
  rest(guest: Guest): void {
    guest.requests--
    guest.waitingSince = this.#turns++
  }

  /** Those who ask nothing are told that nothing more will be answered. */
  endWaiting(): void {
    for (const { socket, requests } of this.#guests.values()) if (requests === 0) socket.destroySoon()
  }

  dismissAll(): void {
    for (const { socket } of this.#guests.values()) socket.destroy()
  }

  #dismissOldest(address?: string): boolean {
    let oldest: Guest | undefined
    for (const guest of this.#guests.values()) {
      if (guest.requests > 0 || (address !== undefined && guest.address !== address)) continue
      if (!oldest || guest.waitingSince < oldest.waitingSince) oldest = guest
    }
    if (!oldest) return false
    this.#forget(oldest)
    oldest.socket.destroy()
    return true
  }

  #forget(guest: Guest): void {
    if (!this.#guests.delete(guest.socket)) return
    if (guest.isReserve) this.#reserved--
    const left = (this.#counts.get(guest.address) ?? 1) - 1
    if (left > 0) this.#counts.set(guest.address, left)
    else this.#counts.delete(guest.address)
  }
}
