import type { IncomingHttpHeaders } from 'node:http'

/** How checks reach the net: tests give them one of their own. */

export interface Names {
  /** Every address of a name, as this machine finds them. */
  addresses(name: string): Promise<readonly string[]>
  /** TXT records; none where the name has none. */
  texts(name: string): Promise<readonly string[]>
}

export interface Asked {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly timeoutMs?: number
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Ask = (url: string, asked?: Asked) => Promise<Answered>
