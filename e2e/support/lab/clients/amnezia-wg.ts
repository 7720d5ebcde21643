import { existsSync } from 'node:fs'
import { connect, isIPv4 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LabProcess } from '../lab-process.ts'
import { addresses, type Lab, type Place } from '../namespaces.ts'
import { Traffic } from '../traffic.ts'
import { confFromAmneziaLink, parseConf, type WireguardConf } from '../wireguard-conf.ts'
import type { SteadyClient } from './client.ts'

const socketOf = (device: string): string => `/var/run/amneziawg/${device}.sock`

/** What the client has carried, both directions together. */
export interface TunnelBytes {
  /** As the engine counts and apps show it: what went over the wire for the tunnel. */
  readonly engine: number
  /** Of the tunnel's interface: packets as they were before and after. */
  readonly device: number
}

export type AmneziaWgClient = SteadyClient & {
  /** The machine whose traffic it takes. */
  readonly place: Place
  counted(): Promise<TunnelBytes>
}

/** One exchange with the engine in its own configuration protocol. */
const exchange = (device: string, lines: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    let reply = ''
    const socket = connect(socketOf(device))
    socket.on('error', reject)
    socket.on('data', (data) => {
      reply += data
      if (!reply.endsWith('\n\n')) return
      socket.destroy()
      if (reply.endsWith('errno=0\n\n')) resolve(reply)
      else reject(new Error(`amneziawg-go answers ${reply.trim()} to ${lines.join(' ')}`))
    })
    socket.write(`${lines.join('\n')}\n\n`)
  })

const counted = async (lab: Lab, place: Place, device: string): Promise<TunnelBytes> => {
  const said = await exchange(device, ['get=1'])
  const [link] = JSON.parse(await lab.ip(place, '-json', '-statistics', 'link', 'show', 'dev', device))
  const sum = [...said.matchAll(/^[rt]x_bytes=(\d+)$/gm)].reduce(
    (total, match) => total + Number(match[1]),
    0,
  )
  return { engine: sum, device: link.stats64.rx.bytes + link.stats64.tx.bytes }
}

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

interface Device {
  readonly lab: Lab
  readonly binary: string
  readonly place: Place
  readonly device: string
}

/** The engine alone, told these lines; addresses and routes are whoever's it is. */
export const startDevice = async (
  { lab, binary, place, device }: Device,
  lines: readonly string[],
): Promise<LabProcess> => {
  const process = lab.run(place, binary, ['-f', device])
  for (let tries = 0; tries < 200 && process.isRunning && !existsSync(socketOf(device)); tries += 1) {
    await sleep(50)
  }
  await exchange(device, ['set=1', ...lines])
  return process
}

/** amneziawg-go as the customer's app, from a .conf file or an Amnezia link, on a machine of its own. */
export const startAmneziaWg = async (lab: Lab, binary: string, text: string): Promise<AmneziaWgClient> => {
  const conf = parseConf(text.startsWith('vpn://') ? confFromAmneziaLink(text) : text)
  const place = await lab.addClient()
  const device = lab.uniqueName(`c${lab.nextPort() % 10_000}`)
  const server = await hostAddress(lab, conf.endpoint.host)
  if (server === null) throw new Error(`${conf.endpoint.host} has no address`)
  const endpoint = `endpoint=${server}:${conf.endpoint.port}`
  const lines = [...conf.interfaceLines, 'replace_peers=true', ...conf.peerLines, endpoint]
  const process = await startDevice({ lab, binary, place, device }, lines)
  await route(lab, place, device, conf, server)
  const traffic = new Traffic(lab, place)
  return {
    name: 'amneziawg-go',
    place,
    tcp: (target, size) => traffic.tcp(target, size),
    udp: (target, payload, timeoutMs) => traffic.udp(target, payload, timeoutMs),
    resolve: (resolver, name) => traffic.resolve(resolver, name),
    steady: (target, pace) => traffic.steady(target, pace),
    counted: () => counted(lab, place, device),
    goesAnywhere: true,
    log: () => process.output + process.errors,
    // It takes its socket away with it when it is asked to end.
    close: () => process.stop('SIGTERM'),
  }
}
