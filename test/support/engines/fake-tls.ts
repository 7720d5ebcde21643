import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { ByteReader } from './byte-reader.ts'

/** The disguise of MTProto proxies: a TLS handshake whose random values prove that both sides know the secret. */

const randomAt = 11
const randomBytesLong = 32
const applicationData = 0x17
const maxPayloadBytes = 16_000

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
const withLength = (body: Buffer): Buffer => Buffer.concat([uint16(body.length), body])
const extension = (type: number, body: Buffer): Buffer => Buffer.concat([uint16(type), withLength(body)])

const record = (type: number, body: Buffer, minorVersion = 3): Buffer =>
  Buffer.concat([Buffer.from([type, 3, minorVersion]), withLength(body)])

const clientHello = (domain: string): Buffer => {
  const serverName = withLength(Buffer.concat([Buffer.from([0]), withLength(Buffer.from(domain))]))
  const keyShare = withLength(Buffer.concat([uint16(0x1d), withLength(randomBytes(32))]))
  const extensions = [
    extension(0, serverName),
    extension(0x0a, withLength(uint16(0x1d))),
    extension(0x0d, withLength(Buffer.from('040308040807', 'hex'))),
    extension(0x2b, Buffer.from([2, 3, 4])),
    extension(0x33, keyShare),
  ]
  const body = Buffer.concat([
    Buffer.from([3, 3]),
    Buffer.alloc(randomBytesLong),
    Buffer.from([32]),
    randomBytes(32),
    withLength(Buffer.from('130113021303', 'hex')),
    Buffer.from([1, 0]),
    withLength(Buffer.concat(extensions)),
  ])
  const handshake = Buffer.concat([Buffer.from([1, 0]), withLength(body)])
  return record(0x16, handshake, 1)
}

/** The proxy's key signs the hello; the last four bytes carry the time as well. */
const signedHello = (key: Buffer, domain: string, nowSeconds: number): Buffer => {
  const hello = clientHello(domain)
  const random = createHmac('sha256', key).update(hello).digest()
  random.writeUInt32LE((random.readUInt32LE(28) ^ nowSeconds) >>> 0, 28)
  random.copy(hello, randomAt)
  return hello
}

const readRecord = async (reader: ByteReader): Promise<Buffer> => {
  const head = await reader.exactly(5)
  return Buffer.concat([head, await reader.exactly(head.readUInt16BE(3))])
}

const knowsKey = (key: Buffer, hello: Buffer, reply: Buffer): boolean => {
  const blank = Buffer.from(reply)
  blank.fill(0, randomAt, randomAt + randomBytesLong)
  const random = hello.subarray(randomAt, randomAt + randomBytesLong)
  const expected = createHmac('sha256', key).update(random).update(blank).digest()
  return timingSafeEqual(expected, reply.subarray(randomAt, randomAt + randomBytesLong))
}

export interface FakeTls {
  write(data: Buffer): boolean
  readonly reader: ByteReader
}

async function* payloads(reader: ByteReader): AsyncGenerator<Buffer> {
  for (;;) {
    const found = await readRecord(reader).catch(() => null)
    if (found === null) return
    if (found[0] === applicationData) yield found.subarray(5)
  }
}

class Stranger extends Error {}

/** Throws when the far side does not prove that it knows the secret. */
export const openFakeTls = async (socket: Socket, secret: string): Promise<FakeTls> => {
  const bytes = Buffer.from(secret, 'hex')
  if (bytes[0] !== 0xee || bytes.length < 18) throw new Error('This secret is not for fake TLS')
  const key = bytes.subarray(1, 17)
  const hello = signedHello(key, bytes.subarray(17).toString(), Math.floor(Date.now() / 1000))
  socket.write(hello)
  const reader = ByteReader.of(socket)
  const reply = [await readRecord(reader), await readRecord(reader), await readRecord(reader)]
  if (!knowsKey(key, hello, Buffer.concat(reply))) throw new Stranger('The far side does not know the secret')
  socket.write(record(0x14, Buffer.from([1])))
  return {
    reader: new ByteReader(payloads(reader)),
    write: (data) => {
      let isReady = true
      for (let at = 0; at < data.length; at += maxPayloadBytes) {
        isReady = socket.write(record(applicationData, data.subarray(at, at + maxPayloadBytes)))
      }
      return isReady
    },
  }
}

/**
 * Who answers a client with this secret (ee, 16 bytes, domain, in hex): the proxy that knows it, a stranger such
 * as the domain behind the proxy, or nobody.
 */
export const fakeTlsAnswer = async (
  port: number,
  secret: string,
): Promise<'proxy' | 'stranger' | 'nobody'> => {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(8000, () => socket.destroy())
  try {
    await openFakeTls(socket, secret)
    return 'proxy'
  } catch (error) {
    return error instanceof Stranger ? 'stranger' : 'nobody'
  } finally {
    socket.destroy()
  }
}
