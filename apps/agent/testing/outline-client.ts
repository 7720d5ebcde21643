import { createCipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

const method = 'chacha20-poly1305'

/** OpenSSL's old way from a password to a key, which Shadowsocks kept. */
const keyOf = (password: string): Buffer => {
  const first = createHash('md5').update(password).digest()
  return Buffer.concat([first, createHash('md5').update(first).update(password).digest()])
}

const addressOf = (host: string, port: number): Buffer => {
  if (!isIPv4(host)) throw new Error('IPv4 only')
  return Buffer.from([1, ...host.split('.').map(Number), port >> 8, port & 255])
}

const seal = (password: string, plain: Buffer): Buffer => {
  const salt = randomBytes(32)
  const key = Buffer.from(hkdfSync('sha1', keyOf(password), salt, 'ss-subkey', 32))
  const cipher = createCipheriv(method, key, Buffer.alloc(12), { authTagLength: 16 })
  return Buffer.concat([salt, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

export interface OutlineSession {
  /** Sends a datagram to the target through the server. */
  send(host: string, port: number, text: string): void
  close(): void
}

/** One UDP session of an Outline client: everything comes from one local port. */
export const openOutlineSession = async (serverPort: number, password: string): Promise<OutlineSession> => {
  const socket: Socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    send: (host, port, text) => {
      const packet = seal(password, Buffer.concat([addressOf(host, port), Buffer.from(text)]))
      socket.send(packet, serverPort, '127.0.0.1')
    },
    close: () => socket.close(),
  }
}
