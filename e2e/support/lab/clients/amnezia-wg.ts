import { existsSync } from 'node:fs'
import { connect, isIPv4 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { addresses, type Lab, type Place } from '../namespaces.ts'
import { Traffic } from '../traffic.ts'
import { confFromAmneziaLink, parseConf, type WireguardConf } from '../wireguard-conf.ts'
import type { Client } from './client.ts'

const socketOf = (device: string): string => `/var/run/amneziawg/${device}.sock`

/** One exchange with the engine in its own configuration protocol. */
const configure = (device: string, lines: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    let reply = ''
    const socket = connect(socketOf(device))
    socket.on('error', reject)
    socket.on('data', (data) => {
      reply += data
      if (!reply.endsWith('\n\n')) return
      socket.destroy()
      if (reply === 'errno=0\n\n') resolve()
      else reject(new Error(`amneziawg-go answers ${reply.trim()} to ${lines.join(' ')}`))
    })
    socket.write(`${['set=1', ...lines].join('\n')}\n\n`)
  })

const hostAddress = (lab: Lab, host: string): Promise<string | null> | string =>
  isIPv4(host) ? host : new Traffic(lab, lab.place('client')).resolve(addresses.resolver, host)

/** What wg-quick does: addresses, everything into the tunnel, and the tunnel's own packets beside it. */
const route = async (lab: Lab, place: Place, device: string, conf: WireguardConf, server: string) => {
  for (const address of conf.addresses) await lab.ip(place, 'address', 'add', address, 'dev', device)
  await lab.ip(place, 'link', 'set', device, 'mtu', String(conf.mtu), 'up')
  await lab.ip(place, 'route', 'add', `${server}/32`, 'via', place.gateway)
  await lab.ip(place, 'route', 'replace', 'default', 'dev', device)
  if (conf.resolvers.length > 0) lab.setResolvers(place, conf.resolvers)
}

/** amneziawg-go as the customer's app, from a .conf file or an Amnezia link, on a machine of its own. */
export const startAmneziaWg = async (lab: Lab, binary: string, text: string): Promise<Client> => {
  const conf = parseConf(text.startsWith('vpn://') ? confFromAmneziaLink(text) : text)
  const place = await lab.addClient()
  const device = lab.uniqueName(`c${lab.nextPort() % 10_000}`)
  const server = await hostAddress(lab, conf.endpoint.host)
  if (server === null) throw new Error(`${conf.endpoint.host} has no address`)
  const process = lab.run(place, binary, ['-f', device])
  for (let tries = 0; tries < 200 && process.isRunning && !existsSync(socketOf(device)); tries += 1) {
    await sleep(50)
  }
  const endpoint = `endpoint=${server}:${conf.endpoint.port}`
  await configure(device, [...conf.interfaceLines, 'replace_peers=true', ...conf.peerLines, endpoint])
  await route(lab, place, device, conf, server)
  const traffic = new Traffic(lab, place)
  return {
    name: 'amneziawg-go',
    tcp: (target, size) => traffic.tcp(target, size),
    udp: (target, payload, timeoutMs) => traffic.udp(target, payload, timeoutMs),
    resolve: (resolver, name) => traffic.resolve(resolver, name),
    goesAnywhere: true,
    log: () => process.output + process.errors,
    // It takes its socket away with it when it is asked to end.
    close: () => process.stop('SIGTERM'),
  }
}
