import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { PersonalEngine } from '../../apps/agent/engines/personal.ts'
import { instanceOn } from '../../apps/agent/testing/personal-fixtures.ts'
import { startTlsSite } from './tls-site.ts'
import { startXrayClient } from './xray-client.ts'

/** Run inside a network namespace of its own: tells what a customer reaches through a personal Xray there. */

const [directory = '', binary = ''] = process.argv.slice(2)

/** Answers every question of type A: the address is in the name, as in 10-77-0-1.test. */
const startResolver = async (): Promise<void> => {
  const socket = createSocket('udp4').bind(53, '127.0.0.53')
  await once(socket, 'listening')
  socket.on('message', (question, { port, address }) => {
    const name = question.subarray(13, 13 + (question[12] ?? 0)).toString()
    const end = 13 + name.length + '.test.'.length + 4
    const isA = question.readUInt16BE(end - 4) === 1
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...name.split('-').map(Number)])
    const head = Buffer.from(question.subarray(0, end))
    head.writeUInt16BE(0x8180, 2)
    head.fill(0, 6, 12)
    head[7] = isA ? 1 : 0
    socket.send(isA ? Buffer.concat([head, answer]) : head, port, address)
  })
}

let visits = 0
const canary = createServer((socket) => {
  visits += 1
  socket.on('error', () => {}).end('hello')
}).listen(0, '::')
await once(canary, 'listening')
const { port: canaryPort } = canary.address() as AddressInfo

await startResolver()
const site = await startTlsSite(binary)
const engine = await PersonalEngine.create({
  binary,
  version: '',
  directory,
  allowPrivateTargets: false,
  siteTarget: async () => `127.0.0.1:${site.port}`,
  log: (line) => console.error(line),
})
const { access, outbound } = instanceOn('c1', 12_000, 1)
const certificate = { server_name: 'localhost', certificate: '', key: '' }
const troubles = await engine.apply({ inbounds: [], accesses: [{ ...access, site: certificate }] })
const client = await startXrayClient(binary, directory, outbound)

const reaches = async (host: string, port = canaryPort): Promise<boolean> => {
  const before = visits
  const socket = await client.open(host, port)
  const timer = setTimeout(() => socket.destroy(), 4000)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  if (!socket.closed) await once(socket, 'close')
  clearTimeout(timer)
  return visits > before || answer.endsWith('hello')
}

const reached = {
  public: await reaches('203.0.113.2', 8080),
  publicName: await reaches('203-0-113-2.test', 8080),
  own: await reaches('203.0.113.1'),
  ownName: await reaches('203-0-113-1.test'),
  loopback: await reaches('127.0.0.1'),
  loopback6: await reaches('::1'),
  private: await reaches('10.77.0.1'),
  privateName: await reaches('10-77-0-1.test'),
  localhost: await reaches('localhost'),
}
await client.close()
await engine.stop()
console.log(JSON.stringify({ troubles, ...reached }))
process.exit()
