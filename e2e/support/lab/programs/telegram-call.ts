import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { openFakeTls } from '../../../../test/support/engines/fake-tls.ts'
import type { Line } from './line.ts'
import { call, type Obfuscated } from './obfuscation.ts'

/** A call through an MTProto proxy to the second data centre; see telegram.ts for what is said there. */

const addressBytes = 16
const dataCentre = 2
const chunk = Buffer.alloc(64 * 1024, 9)

/** Apps ask for files in parts. */
const partBytes = 1024 * 1024

const wishFor = (upBytes: number, downBytes: number): Buffer => {
  const wish = Buffer.alloc(8)
  wish.writeUInt32LE(upBytes, 0)
  wish.writeUInt32LE(downBytes, 4)
  return wish
}

type FakeTls = Awaited<ReturnType<typeof openFakeTls>>

export interface ProxyOfTelegram {
  readonly host: string
  readonly port: number
  /** Hexadecimal. */
  readonly secret: string
}

export class TelegramCall implements Line {
  /** From which address the data centre was called. */
  peer = ''
  readonly #socket: Socket
  readonly #tls: FakeTls
  readonly #ciphers: Obfuscated
  #greeting: Buffer
  #wanted = 0
  #asked = 0

  private constructor(socket: Socket, tls: FakeTls, { frame, ...ciphers }: ReturnType<typeof call>) {
    this.#socket = socket
    this.#tls = tls
    this.#ciphers = ciphers
    this.#greeting = frame
  }

  static async open({ host, port, secret }: ProxyOfTelegram): Promise<TelegramCall> {
    const socket = connect(port, host)
    await once(socket, 'connect')
    const tls = await openFakeTls(socket, secret)
    return new TelegramCall(socket, tls, call(dataCentre, Buffer.from(secret, 'hex').subarray(1, 17)))
  }

  /** Once in a call. */
  async ask(upBytes: number, downBytes: number): Promise<void> {
    const { encrypt, decrypt } = this.#ciphers
    this.#wanted = downBytes
    this.#asked = Math.min(downBytes, partBytes)
    this.#tls.write(Buffer.concat([this.#greeting, encrypt(wishFor(upBytes, this.#asked))]))
    for (let left = upBytes; left > 0; left -= chunk.length) {
      const isReady = this.#tls.write(encrypt(chunk.subarray(0, Math.min(left, chunk.length))))
      if (!isReady) await once(this.#socket, 'drain')
    }
    this.peer = decrypt(await this.#tls.reader.exactly(addressBytes))
      .toString()
      .trim()
  }

  async take(): Promise<number> {
    const { encrypt, decrypt } = this.#ciphers
    let bytes = 0
    while (bytes < this.#wanted) {
      if (bytes === this.#asked) {
        const next = Math.min(this.#wanted - bytes, partBytes)
        this.#asked += next
        this.#tls.write(encrypt(wishFor(0, next)))
      }
      const piece = await this.#tls.reader.some()
      if (piece === null) throw new Error(`${bytes} bytes of ${this.#wanted} came`)
      const plain = decrypt(piece)
      if (plain.some((byte) => byte !== 7)) throw new Error('What came is not what the data centre sent')
      bytes += plain.length
    }
    return bytes
  }

  end(): void {
    this.#socket.destroy()
  }
}
