import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startDevice } from '../../e2e/support/lab/clients/amnezia-wg.ts'
import { tlsPort } from '../../e2e/support/lab/internet.ts'
import type { LabProcess } from '../../e2e/support/lab/lab-process.ts'
import { addresses, type Lab, type Place } from '../../e2e/support/lab/namespaces.ts'
import { type Carried, mtgByHand, wireguardByHand, xrayByHand } from './by-hand.ts'

/** Engines started by hand on a machine of the lab that is like the node's. */

export interface Engines {
  readonly xray: string
  readonly awg: string
  readonly mtg: string
}

const ground = { address: addresses.exit, target: `${addresses.site}:${tlsPort}` }

const keep = async (lab: Lab, name: string, text: string): Promise<string> => {
  const file = join(lab.directory, `by-hand-${lab.nextPort()}-${name}`)
  await writeFile(file, text)
  return file
}

const inside = async (place: Place, ...command: string[]): Promise<void> => {
  await promisify(execFile)('ip', ['netns', 'exec', place.namespace, ...command])
}

/** What every guide says: an address, forwarding, and translation. */
const startWireguard = async (
  lab: Lab,
  binary: string,
  carried: Carried,
  mtu: number,
): Promise<LabProcess> => {
  const place = lab.place('exit')
  const { lines, customer } = wireguardByHand(carried)
  const device = lab.uniqueName(`h${lab.nextPort() % 10_000}`)
  const process = await startDevice({ lab, binary, place, device }, lines)
  await lab.ip(place, 'address', 'add', '100.64.0.1/32', 'dev', device)
  await lab.ip(place, 'link', 'set', device, 'mtu', String(mtu), 'up')
  await lab.ip(place, 'route', 'add', `${customer}/32`, 'dev', device)
  await lab.setKernel(place, 'ipv4/ip_forward', '1')
  const nat = 'add chain ip byhand nat { type nat hook postrouting priority 100; }'
  const rule = 'add rule ip byhand nat oifname "eth0" masquerade'
  await inside(place, 'nft', `add table ip byhand; ${nat}; ${rule}`)
  // Whatever runs there next has a kernel that follows no connections, as before.
  void process.exited.then(() => inside(place, 'nft', 'delete table ip byhand').catch(() => {}))
  return process
}

const startXray = async (lab: Lab, binary: string, carried: Carried): Promise<LabProcess> => {
  const config = await keep(lab, 'xray.json', JSON.stringify(xrayByHand(carried, ground)))
  const process = lab.run(lab.place('exit'), binary, ['run', '-c', config])
  await process.until(/Xray .* started/)
  return process
}

const startMtg = async (lab: Lab, binary: string, carried: Carried): Promise<LabProcess> => {
  if (carried.access.kind !== 'mtproto') throw new Error('mtg does not carry this')
  const config = await keep(lab, 'mtg.toml', mtgByHand(carried.access, ground))
  const process = lab.run(lab.place('exit'), binary, ['run', config])
  await sleep(1000)
  if (!process.isRunning) throw new Error(`mtg ended: ${process.output}${process.errors}`)
  return process
}

export const startByHand = (
  lab: Lab,
  engines: Engines,
  carried: Carried,
  mtu: number,
): Promise<LabProcess> => {
  const { access, inbound } = carried
  if (access.kind === 'mtproto') return startMtg(lab, engines.mtg, carried)
  if (access.kind === 'amnezia-wg' || inbound?.protocol === 'wg') {
    return startWireguard(lab, engines.awg, carried, mtu)
  }
  return startXray(lab, engines.xray, carried)
}
