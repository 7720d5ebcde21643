import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { PersonalEngine } from '../../../apps/agent/engines/personal/personal.ts'
import { instanceOn } from '../../../apps/agent/testing/personal-fixtures.ts'
import { startDnsAnswers } from './dns-answers.ts'
import { startTlsSite } from './tls-site.ts'
import { startXrayClient } from './xray-client.ts'

/** Run inside a network namespace of its own: tells what a customer reaches through a personal Xray there. */

const [directory = '', binary = ''] = process.argv.slice(2)

let visits = 0
const canary = createServer((socket) => {
  visits += 1
  socket.on('error', () => {}).end('hello')
}).listen(0, '::')
await once(canary, 'listening')
const { port: canaryPort } = canary.address() as AddressInfo

// The address is in the name, as in 10-77-0-1.test.
await startDnsAnswers('127.0.0.53', (name) => [name.replace('.test', '').replaceAll('-', '.')])
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
  lan: await reaches('10.77.0.2', 8080),
  lanName: await reaches('10-77-0-2.test', 8080),
  localhost: await reaches('localhost'),
}
await client.close()
await engine.stop()
console.log(JSON.stringify({ troubles, ...reached }))
process.exit()
