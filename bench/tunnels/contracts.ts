import type { Socks } from '../../e2e/support/lab/contracts.ts'
import type { ProxyOfTelegram } from '../../e2e/support/lab/programs/telegram-call.ts'

/** What the loader is told, line by line, and what it says. */

/** How it comes to the site. */
export interface Way {
  readonly host: string
  readonly port: number
  readonly serverName?: string
  readonly socks?: Socks
  /** CONNECT, as browsers do for every site with TLS. */
  readonly http?: Required<Socks>
  readonly telegram?: ProxyOfTelegram
}

export type Order =
  | { readonly kind: 'down' | 'up'; readonly bytes: number }
  /** New connections, so many at once, each with one small request. */
  | { readonly kind: 'visits'; readonly seconds: number; readonly together: number }

export interface Copied {
  readonly seconds: number
}

export interface Visited {
  readonly perSecond: number
  /** From the first packet to the first byte of the answer. */
  readonly firstByteMs: readonly number[]
}

export type Reply<T> = { readonly done: T } | { readonly failed: string }
