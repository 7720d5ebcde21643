import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ByteReader } from '../../../../test/support/engines/byte-reader.ts'
import type { Socks } from '../contracts.ts'
import type { Line } from './line.ts'
import { connectThrough } from './socks5.ts'

/** A visit of the lab's site, see site.ts, directly or through a proxy, over TLS where a name is given. */

const chunk = Buffer.alloc(64 * 1024, 9)

export interface SiteCall {
  readonly host: string
  readonly port: number
  readonly socks?: Socks
  /** Over TLS, naming this site. */
  readonly serverName?: string
}

export const connected = async ({ host, port, socks }: SiteCall): Promise<Socket> =>
  socks ? connectThrough(socks, host, port) : connect(port, host)

const pour = async (socket: Socket, size: number): Promise<void> => {
  for (let left = size; left > 0 && !socket.destroyed; left -= chunk.length) {
    const isFull = !socket.write(left < chunk.length ? chunk.subarray(0, left) : chunk)
    if (isFull) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }
}

const header = (text: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1]?.trim() ?? ''

export class SiteLine implements Line {
  /** From which address the site was visited. */
  peer = ''
  readonly #host: string
  readonly #socket: Socket
  readonly #reader: ByteReader
  #left = 0

  constructor(socket: Socket, { host, serverName }: SiteCall) {
    this.#host = host
    this.#socket =
      serverName === undefined
        ? socket
        : connectTls({ socket, servername: serverName, rejectUnauthorized: false })
    this.#reader = ByteReader.of(this.#socket)
  }

  static async open(call: SiteCall): Promise<SiteLine> {
    return new SiteLine(await connected(call), call)
  }

  /** An upload begins when the site has asked for it: Xray's Trojan client fails when too much comes at once. */
  async ask(upBytes: number, downBytes: number): Promise<void> {
    const expects = upBytes > 0 ? 'Expect: 100-continue\r\n' : ''
    const length = `Content-Length: ${upBytes}\r\n`
    this.#socket.write(`POST /bytes/${downBytes} HTTP/1.1\r\nHost: ${this.#host}\r\n${length}${expects}\r\n`)
    if (upBytes > 0) {
      await this.#reader.head()
      await pour(this.#socket, upBytes)
    }
    const head = await this.#reader.head()
    const received = Number(header(head, 'x-received'))
    if (received !== upBytes) throw new Error(`${received} bytes of ${upBytes} arrived`)
    this.peer = header(head, 'x-peer')
    this.#left = downBytes
  }

  async take(): Promise<number> {
    const asked = this.#left
    while (this.#left > 0) {
      const piece = await this.#reader.some()
      if (piece === null) throw new Error(`${asked - this.#left} bytes of ${asked} came`)
      this.#left -= piece.length
    }
    return asked - this.#left
  }

  end(): void {
    this.#socket.destroy()
  }
}
