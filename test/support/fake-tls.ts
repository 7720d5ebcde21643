import { createHmac, randomBytes } from 'node:crypto'
import { connect } from 'node:net'

/** The first step of a Telegram client through a fake-TLS proxy: enough to tell who answers. */

const randomOffset = 11
const randomBytesCount = 32
const records = 3

const withLength = (bytes: number, body: Buffer): Buffer => {
  const length = Buffer.alloc(bytes)
  length.writeUIntBE(body.length, 0, bytes)
  return Buffer.concat([length, body])
}

const extension = (type: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([type >> 8, type & 255]), withLength(2, body)])

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

const clientHello = (domain: string): Buffer => {
  const name = withLength(2, Buffer.concat([Buffer.from([0]), withLength(2, Buffer.from(domain))]))
  const extensions = Buffer.concat([
    extension(0x00, name),
    extension(0x0a, hex('0002001d')),
    extension(0x0d, hex('0006040308040807')),
    extension(0x2b, hex('020304')),
    extension(0x33, withLength(2, Buffer.concat([hex('001d'), withLength(2, randomBytes(32))]))),
  ])
  const body = Buffer.concat([
    hex('0303'),
    Buffer.alloc(randomBytesCount),
    withLength(1, randomBytes(32)),
    withLength(2, hex('130113021303')),
    withLength(1, hex('00')),
    withLength(2, extensions),
  ])
  return Buffer.concat([hex('160301'), withLength(2, Buffer.concat([hex('01'), withLength(3, body)]))])
}

/** The proxy knows its client by this: a keyed digest of the hello in place of the random, mixed with the time. */
const signed = (hello: Buffer, key: Buffer): Buffer => {
  const random = createHmac('sha256', key).update(hello).digest()
  const seconds = Math.floor(Date.now() / 1000)
  const last = randomBytesCount - 4
  random.writeUInt32LE((random.readUInt32LE(last) ^ seconds) >>> 0, last)
  random.copy(hello, randomOffset)
  return random
}

/** The server's hello, change of cipher and first data as one piece, when all three have come. */
const firstFlight = (answer: Buffer): Buffer | null => {
  let end = 0
  for (let record = 0; record < records; record += 1) {
    if (answer.length < end + 5) return null
    end += 5 + answer.readUInt16BE(end + 3)
  }
  return answer.length < end ? null : answer.subarray(0, end)
}

const isSigned = (flight: Buffer, clientRandom: Buffer, key: Buffer): boolean => {
  const blank = Buffer.from(flight)
  blank.fill(0, randomOffset, randomOffset + randomBytesCount)
  const digest = createHmac('sha256', key).update(clientRandom).update(blank).digest()
  return digest.equals(flight.subarray(randomOffset, randomOffset + randomBytesCount))
}

const readFlight = (port: number, hello: Buffer): Promise<Buffer | null> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(hello))
    let answer = Buffer.alloc(0)
    const done = (flight: Buffer | null) => {
      socket.destroy()
      resolve(flight)
    }
    socket.setTimeout(8000, () => done(null))
    socket.on('error', () => done(null)).once('close', () => done(null))
    socket.on('data', (data) => {
      answer = Buffer.concat([answer, data])
      const flight = firstFlight(answer)
      if (flight) done(flight)
    })
  })

/**
 * Who answers a client with this secret (ee, 16 bytes, domain, in hex): the proxy that knows it, a stranger such
 * as the domain behind the proxy, or nobody.
 */
export const fakeTlsAnswer = async (
  port: number,
  secret: string,
): Promise<'proxy' | 'stranger' | 'nobody'> => {
  const bytes = Buffer.from(secret, 'hex')
  const [key, domain] = [bytes.subarray(1, 17), bytes.subarray(17).toString()]
  const hello = clientHello(domain)
  const random = signed(hello, key)
  const flight = await readFlight(port, hello)
  if (flight === null) return 'nobody'
  return isSigned(flight, random, key) ? 'proxy' : 'stranger'
}
