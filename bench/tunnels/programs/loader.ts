import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import type { Line } from '../../../e2e/support/lab/programs/line.ts'
import { SiteLine } from '../../../e2e/support/lab/programs/site-line.ts'
import { TelegramCall } from '../../../e2e/support/lab/programs/telegram-call.ts'
import type { Copied, Order, Visited, Way } from '../contracts.ts'

/** A customer's program on a machine of the lab: does what each line of its input asks, and says how long it took. */

const way = JSON.parse(process.argv[2] ?? '{}') as Way
const smallBytes = 1000

const connectByHttp = async (proxy: NonNullable<Way['http']>): Promise<Line> => {
  const socket = connect(proxy.port, proxy.host)
  socket.on('error', () => {})
  socket.setNoDelay(true)
  const sign = Buffer.from(`${proxy.user}:${proxy.password}`).toString('base64')
  const target = `${way.host}:${way.port}`
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: Basic ${sign}\r\n\r\n`)
  await once(socket, 'readable')
  const answer = (socket.read() as Buffer | null)?.toString('latin1') ?? ''
  if (!/^HTTP\/1\.1 200 .*\r\n\r\n$/s.test(answer))
    throw new Error(`The proxy answers ${answer.slice(0, 80)}`)
  return new SiteLine(socket, way)
}

const open = (): Promise<Line> => {
  if (way.telegram) return TelegramCall.open(way.telegram)
  return way.http ? connectByHttp(way.http) : SiteLine.open(way)
}

/** Without what opening the connection takes. */
const copy = async (kind: 'down' | 'up', bytes: number): Promise<Copied> => {
  const line = await open()
  const begunMs = performance.now()
  if (kind === 'up') await line.ask(bytes, 1)
  else await line.ask(0, bytes)
  const answeredMs = performance.now()
  await line.take()
  const from = kind === 'up' ? begunMs : answeredMs
  const seconds = (performance.now() - from) / 1000
  line.end()
  return { seconds }
}

const visit = async (): Promise<number> => {
  const begunMs = performance.now()
  const line = await open()
  await line.ask(0, smallBytes)
  const firstByteMs = performance.now() - begunMs
  await line.take()
  line.end()
  return firstByteMs
}

const visits = async (seconds: number, together: number): Promise<Visited> => {
  const begunMs = performance.now()
  const endMs = begunMs + seconds * 1000
  const firstByteMs: number[] = []
  const visitor = async (): Promise<void> => {
    while (performance.now() < endMs) firstByteMs.push(await visit())
  }
  await Promise.all(Array.from({ length: together }, visitor))
  return { perSecond: (firstByteMs.length * 1000) / (performance.now() - begunMs), firstByteMs }
}

const follow = (order: Order): Promise<Copied | Visited> =>
  order.kind === 'visits' ? visits(order.seconds, order.together) : copy(order.kind, order.bytes)

console.log('ready')
for await (const line of createInterface({ input: process.stdin })) {
  const reply = await follow(JSON.parse(line) as Order).then(
    (done) => ({ done }),
    (error: Error) => ({ failed: error.message }),
  )
  console.log(JSON.stringify(reply))
}
