import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { ByteReader } from '../../../../test/support/engines/byte-reader.ts'
import type { DnsTask, RawTask, TcpResult, TcpTask, TrafficTask, UdpTask } from '../contracts.ts'
import { encodeQuestion, readAnswer } from './dns-message.ts'
import { runTask } from './run-task.ts'
import { connectThrough, openDatagrams } from './socks5.ts'

/** One piece of traffic from where it is started, directly or through a SOCKS5 proxy; the result is JSON. */

const resendMs = 1000
const chunk = Buffer.alloc(64 * 1024, 9)

const connected = async ({ host, port, socks }: TcpTask | RawTask): Promise<Socket> =>
  socks ? connectThrough(socks, host, port) : connect(port, host)

const opened = async (task: TcpTask): Promise<Socket> => {
  const { serverName } = task
  const plain = await connected(task)
  if (serverName === undefined) return plain
  return connectTls({ socket: plain, servername: serverName, rejectUnauthorized: false })
}

const pour = async (socket: Socket, size: number): Promise<void> => {
  for (let left = size; left > 0 && !socket.destroyed; left -= chunk.length) {
    const isFull = !socket.write(left < chunk.length ? chunk.subarray(0, left) : chunk)
    if (isFull) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }
}

const header = (text: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(text)?.[1]?.trim() ?? ''

/** An upload begins when the site has asked for it: Xray's Trojan client fails when too much comes at once. */
const ask = async (socket: Socket, reader: ByteReader, task: TcpTask): Promise<string> => {
  const { host, downBytes, upBytes } = task
  const start = `POST /bytes/${downBytes} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${upBytes}\r\n`
  socket.write(`${start}${upBytes > 0 ? 'Expect: 100-continue\r\n' : ''}\r\n`)
  if (upBytes === 0) return reader.head()
  await reader.head()
  await pour(socket, upBytes)
  return reader.head()
}

/** The end of the connection is not waited for: proxies hold it back for seconds. */
const fetchBytes = async (task: TcpTask): Promise<TcpResult> => {
  const startedMs = performance.now()
  const socket = await opened(task)
  const reader = ByteReader.of(socket)
  const head = await ask(socket, reader, task)
  const answeredMs = performance.now()
  let bytes = 0
  while (bytes < task.downBytes) {
    const piece = await reader.some()
    if (piece === null) throw new Error(`${bytes} bytes of ${task.downBytes} came`)
    bytes += piece.length
  }
  const received = Number(header(head, 'x-received'))
  if (received !== task.upBytes) throw new Error(`${received} bytes of ${task.upBytes} arrived`)
  const endedMs = performance.now()
  return {
    bytes,
    peer: header(head, 'x-peer'),
    seconds: (endedMs - startedMs) / 1000,
    transferSeconds: (endedMs - answeredMs) / 1000,
  }
}

/** Datagrams may be lost, so the question is repeated until an answer comes. */
const exchange = async (task: UdpTask | DnsTask, question: Buffer): Promise<Buffer> => {
  const datagrams = await openDatagrams(task.host, task.port, task.socks)
  const reply = new Promise<Buffer>((resolve) => datagrams.onReply(resolve))
  datagrams.send(question)
  const timer = setInterval(() => datagrams.send(question), resendMs)
  try {
    return await reply
  } finally {
    clearInterval(timer)
    datagrams.close()
  }
}

/** The first bytes that come back, or none when the connection ends before. */
const sendRaw = async (task: RawTask): Promise<{ bytes: number }> => {
  const socket = await connected(task)
  const answer = new Promise<number>((resolve) => {
    socket.on('error', () => resolve(0))
    socket.once('data', (data: Buffer) => resolve(data.length))
    socket.once('close', () => resolve(0))
  })
  socket.write(Buffer.from(task.payloadHex, 'hex'))
  return { bytes: await answer }
}

const certificate = async (host: string, port: number, serverName: string | undefined) => {
  const socket = connectTls({
    host,
    port,
    rejectUnauthorized: false,
    ...(serverName && { servername: serverName }),
  })
  await once(socket, 'secureConnect')
  const found = socket.getPeerX509Certificate()
  socket.destroy()
  if (!found) throw new Error('The server shows no certificate')
  const sha256 = createHash('sha256').update(found.raw).digest('hex')
  const name = /DNS:([^,\s]+)/.exec(found.subjectAltName ?? '')?.[1] ?? host
  return { pem: found.toString(), sha256, name }
}

const perform = async (task: TrafficTask): Promise<object> => {
  switch (task.kind) {
    case 'tcp':
      return fetchBytes(task)
    case 'udp':
      return JSON.parse((await exchange(task, Buffer.from(task.payload))).toString()) as object
    case 'dns':
      return { address: readAnswer(await exchange(task, encodeQuestion(1234, task.name))) }
    case 'raw':
      return sendRaw(task)
    case 'certificate':
      return certificate(task.host, task.port, task.serverName)
  }
}

await runTask(perform, (task) => `${task.kind} to ${task.host}:${task.port}`)
