import { execFileSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SharedAccess, XrayAccount } from '@sallyport/domain/vpn/engine/xray-accounts'
import { XrayEngine } from '../../../apps/agent/engines/xray/xray.ts'
import {
  certificateFrom,
  customer,
  outboundFor,
  proxy,
  proxyOutbound,
  sharedInbound,
} from '../../../apps/agent/testing/fixtures.ts'
import { openOutlineSession } from '../../../apps/agent/testing/outline-client.ts'
import { instanceOn } from '../../../apps/agent/testing/personal-fixtures.ts'
import { startTlsSite } from './tls-site.ts'
import { startXrayClient, type XrayClient } from './xray-client.ts'

/** Run inside a network namespace of its own: tells which of its own public ports customers of the shared Xray reach. */

const [directory = '', binary = ''] = process.argv.slice(2)
const [early, early6, late, late6] = ['198.51.100.7', '2001:db8:7::7', '198.51.100.8', '2001:db8:7::8']
/** What clouds tell their machines, networks behind the node, and the service's own API there. */
const forbidden = ['169.254.169.254', '10.9.9.9', '100.64.9.9', '192.168.9.9', 'fd99::9']
/** The web, one that is served, two that the service could give out and has not, and two that are nobody's business. */
const ports = { web: 443, served: 12_345, given: 12_346, shared: 25_000, other: 8080, ssh: 22 }

const addAddress = (address: string) =>
  execFileSync('ip', ['address', 'add', address, 'dev', 'lo', ...(isIPv6(address) ? ['nodad'] : [])])
const heard = new Set<string>()
const listen = async (address: string) => {
  for (const port of Object.values(ports)) {
    const server = createServer((socket) => {
      heard.add(`${address} ${port}`)
      socket.on('error', () => {}).end('hello')
    }).listen(port, address)
    await once(server, 'listening')
  }
  if (isIPv6(address)) return
  for (const port of Object.values(ports)) {
    const socket = createSocket('udp4').on('message', () => heard.add(`udp ${address} ${port}`))
    socket.bind(port, address)
    await once(socket, 'listening')
  }
}
for (const address of [early, early6, ...forbidden]) {
  addAddress(address)
  await listen(address)
}

const site = await startTlsSite(binary)
const engine = await XrayEngine.create({
  binary,
  version: '',
  directory,
  allowPrivateTargets: false,
  siteTarget: async () => `127.0.0.1:${site.port}`,
  log: (line) => console.error(line),
})
const at = { sitePort: site.port, certificate: certificateFrom(binary) }
const vless = sharedInbound('vless', { port: 21_000, ...at })
const outline = sharedInbound('outline', { port: 21_001, ...at })
const [alice, bob] = [customer('a1', vless), customer('a2', outline)]
const web = proxy('a3', 'http', 11_000)
const personal = instanceOn('a4', ports.served, site.port).access
const troubles = await engine.apply({
  inbounds: [vless, outline],
  accesses: [alice, bob, web, personal],
  ownTargets: [],
})

for (const address of [late, late6]) {
  addAddress(address)
  await listen(address)
}

const visit = async (client: XrayClient, host: string, port: number): Promise<void> => {
  const socket = await client.open(host, port)
  const timer = setTimeout(() => socket.destroy(), 2000)
  socket.on('data', () => {}).write('hello')
  if (!socket.closed) await once(socket, 'close')
  clearTimeout(timer)
}

const own = [early, early6, late, late6]
const reachedBy = async (name: string, visitAll: () => Promise<void>, addresses = own) => {
  heard.clear()
  await visitAll()
  const reached = addresses.map((address) => {
    const open = Object.entries(ports).filter(([, port]) => heard.has(`${name}${address} ${port}`))
    return [address, open.map(([word]) => word)]
  })
  return Object.fromEntries(reached)
}

const overTcp = (outbound: object, addresses = own) => {
  const visitAll = async () => {
    const client = await startXrayClient(binary, directory, outbound)
    const all = addresses.flatMap((address) =>
      Object.values(ports).map((port) => visit(client, address, port)),
    )
    await Promise.all(all)
    await client.close()
  }
  return reachedBy('', visitAll, addresses)
}

const passwordOf = ({ account }: SharedAccess): string =>
  (account as Extract<XrayAccount, { protocol: 'outline' }>).password

/** The first datagram of a session goes somewhere else. */
const overUdp = () =>
  reachedBy('udp ', async () => {
    const session = await openOutlineSession(outline.port, passwordOf(bob))
    session.send('192.0.2.1', 53, 'elsewhere')
    await sleep(300)
    for (const address of [early, late]) {
      for (const port of Object.values(ports)) session.send(address, port, 'here')
    }
    await sleep(700)
    session.close()
  })

const reached = {
  troubles,
  vless: await overTcp(outboundFor(vless, alice)),
  http: await overTcp(proxyOutbound(web)),
  udp: await overUdp(),
  forbidden: {
    vless: await overTcp(outboundFor(vless, alice), forbidden),
    http: await overTcp(proxyOutbound(web), forbidden),
  },
}
await engine.stop()
console.log(JSON.stringify(reached))
process.exit()
