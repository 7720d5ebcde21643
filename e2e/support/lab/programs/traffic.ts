import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import type { DnsTask, RawTask, TrafficTask, UdpTask } from '../contracts.ts'
import { copyBytes } from './copy-bytes.ts'
import { encodeQuestion, readAnswer } from './dns-message.ts'
import { runTask } from './run-task.ts'
import { connected, SiteLine } from './site-line.ts'
import { openDatagrams } from './socks5.ts'

/** One piece of traffic from where it is started, directly or through a SOCKS5 proxy; the result is JSON. */

const resendMs = 1000

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
      return copyBytes(() => SiteLine.open(task), task)
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
