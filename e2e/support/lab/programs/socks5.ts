import { createSocket, type Socket as DatagramSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, isIPv4, type Socket } from 'node:net'
import type { Socks } from '../contracts.ts'

/** A SOCKS5 client: RFC 1928 with the passwords of RFC 1929. */

const connectCommand = 1
const associateCommand = 3
const sizeOfReplyBytes = 10

const read = async (socket: Socket, size: number): Promise<Buffer> => {
  for (;;) {
    const data = socket.read(size) as Buffer | null
    if (data?.length === size) return data
    if (data || socket.readableEnded || socket.destroyed) throw new Error('The proxy hung up')
    await Promise.race([once(socket, 'readable'), once(socket, 'close')])
  }
}

const targetBytes = (host: string, port: number): Buffer => {
  const tail = Buffer.from([port >> 8, port & 255])
  if (isIPv4(host)) return Buffer.concat([Buffer.from([1, ...host.split('.').map(Number)]), tail])
  return Buffer.concat([Buffer.from([3, host.length]), Buffer.from(host), tail])
}

const authenticate = async (socket: Socket, { user, password }: Socks): Promise<void> => {
  const hasPassword = user !== undefined && password !== undefined
  socket.write(Buffer.from(hasPassword ? [5, 1, 2] : [5, 1, 0]))
  const chosen = (await read(socket, 2))[1]
  if (chosen !== (hasPassword ? 2 : 0)) throw new Error('The proxy wants another way to sign in')
  if (!hasPassword) return
  const [name, secret] = [Buffer.from(user), Buffer.from(password)]
  socket.write(Buffer.concat([Buffer.from([1, name.length]), name, Buffer.from([secret.length]), secret]))
  if ((await read(socket, 2))[1] !== 0) throw new Error('The proxy refuses this user and password')
}

interface Opened {
  readonly socket: Socket
  /** Where the proxy says it is bound. */
  readonly host: string
  readonly port: number
}

const open = async (socks: Socks, command: number, target: Buffer): Promise<Opened> => {
  const socket = connect(socks.port, socks.host)
  socket.on('error', () => {})
  socket.setNoDelay(true)
  await Promise.race([
    once(socket, 'connect'),
    once(socket, 'close').then(() => Promise.reject(new Error('No proxy listens there'))),
  ])
  await authenticate(socket, socks)
  socket.write(Buffer.concat([Buffer.from([5, command, 0]), target]))
  const reply = await read(socket, sizeOfReplyBytes)
  if (reply[1] !== 0) throw new Error(`The proxy answers with error ${reply[1]}`)
  if (reply[3] !== 1) throw new Error('The proxy is bound to something other than an IPv4 address')
  return { socket, host: [...reply.subarray(4, 8)].join('.'), port: reply.readUInt16BE(8) }
}

export const connectThrough = async (socks: Socks, host: string, port: number): Promise<Socket> =>
  (await open(socks, connectCommand, targetBytes(host, port))).socket

/** Datagrams to one target, directly or through a proxy. */
export interface Datagrams {
  send(payload: Buffer): void
  onReply(receive: (payload: Buffer) => void): void
  close(): void
}

const plainDatagrams = (socket: DatagramSocket, host: string, port: number): Datagrams => ({
  send: (payload) => socket.send(payload, port, host),
  onReply: (receive) => socket.on('message', receive),
  close: () => socket.close(),
})

const headerBytes = (packet: Buffer): number => {
  if (packet[3] === 1) return 10
  return packet[3] === 3 ? 7 + (packet[4] ?? 0) : 22
}

export const openDatagrams = async (host: string, port: number, socks?: Socks): Promise<Datagrams> => {
  const datagrams = createSocket('udp4')
  if (!socks) return plainDatagrams(datagrams, host, port)
  const relay = await open(socks, associateCommand, targetBytes('0.0.0.0', 0))
  const relayHost = relay.host === '0.0.0.0' ? socks.host : relay.host
  const head = Buffer.concat([Buffer.from([0, 0, 0]), targetBytes(host, port)])
  return {
    send: (payload) => datagrams.send(Buffer.concat([head, payload]), relay.port, relayHost),
    onReply: (receive) => datagrams.on('message', (packet) => receive(packet.subarray(headerBytes(packet)))),
    close: () => {
      datagrams.close()
      relay.socket.destroy()
    },
  }
}
