import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Socks } from '../contracts.ts'
import type { LabProcess } from '../lab-process.ts'
import type { Lab, Place } from '../namespaces.ts'
import { Traffic } from '../traffic.ts'
import type { Client } from './client.ts'

/** The engines of apps, each on a machine of its own, with the very file that the service answered with. */

export interface ChoosingClient extends Client {
  /** As a tap on one of the app's list of servers does. */
  choose(title: string): Promise<void>
}

const keep = async (lab: Lab, name: string, text: string): Promise<{ folder: string; file: string }> => {
  const folder = join(lab.directory, `delivered-${lab.nextPort()}`)
  await mkdir(folder)
  const file = join(folder, name)
  await writeFile(file, text)
  return { folder, file }
}

const clientOf = (
  name: string,
  { lab, place, process, socks }: { lab: Lab; place: Place; process: LabProcess; socks?: Socks },
): Client => {
  const traffic = new Traffic(lab, place, socks)
  return {
    name,
    tcp: (target, size) => traffic.tcp(target, size),
    udp: (target, payload, timeoutMs) => traffic.udp(target, payload, timeoutMs),
    resolve: (resolver, asked) => traffic.resolve(resolver, asked),
    goesAnywhere: true,
    log: () => process.output + process.errors,
    close: () => process.stop('SIGTERM'),
  }
}

/** The Xray that apps carry in them, at the port where the config itself says it listens. */
export const runXray = async (lab: Lab, binary: string, place: Place, config: string): Promise<Client> => {
  const { file } = await keep(lab, 'config.json', config)
  const process = lab.run(place, binary, ['run', '-c', file])
  await process.until(/Xray .* started/)
  const { inbounds } = JSON.parse(config) as { inbounds: { protocol: string; port: number }[] }
  const port = inbounds.find(({ protocol }) => protocol === 'socks')?.port ?? 0
  return clientOf('Xray', { lab, place, process, socks: { host: '127.0.0.1', port } })
}

/** Where apps talk to their engine. */
const controller = '127.0.0.1:9090'

const ask = (lab: Lab, place: Place, ...args: string[]): Promise<string> =>
  lab.run(place, 'curl', ['-sS', '--fail', '--noproxy', '*', '--max-time', '5', ...args]).answer()

const choosing = async (
  client: Client,
  { lab, place, process }: { lab: Lab; place: Place; process: LabProcess },
): Promise<ChoosingClient> => {
  // mihomo answers before it knows its proxies.
  const isUp = () =>
    ask(lab, place, `http://${controller}/proxies/VPN`).then(
      () => true,
      () => false,
    )
  for (let tries = 0; !(await isUp()); tries += 1) {
    if (!process.isRunning || tries > 100) throw new Error(`${client.name} did not come up: ${client.log()}`)
    await sleep(100)
  }
  const choose = async (name: string): Promise<void> => {
    await ask(lab, place, '-X', 'PUT', '-d', JSON.stringify({ name }), `http://${controller}/proxies/VPN`)
  }
  return { ...client, choose }
}

/** With its TUN, which takes all traffic of the machine. How apps choose a server stands in a file of theirs. */
export const runSingBox = async (lab: Lab, binary: string, config: string): Promise<ChoosingClient> => {
  const place = await lab.addClient()
  const { folder, file } = await keep(lab, 'config.json', config)
  const control = join(folder, 'control.json')
  await writeFile(
    control,
    JSON.stringify({ experimental: { clash_api: { external_controller: controller } } }),
  )
  const args = ['run', '-D', folder, '-c', file, '-c', control]
  const process = lab.run(place, binary, args)
  return choosing(clientOf('sing-box', { lab, place, process }), { lab, place, process })
}

export const runMihomo = async (lab: Lab, binary: string, config: string): Promise<ChoosingClient> => {
  const place = await lab.addClient()
  const { folder, file } = await keep(lab, 'config.yaml', config)
  const process = lab.run(place, binary, ['-d', folder, '-f', file, '-ext-ctl', controller])
  const port = Number(/^mixed-port: (\d+)$/m.exec(config)?.[1])
  const client = clientOf('mihomo', { lab, place, process, socks: { host: '127.0.0.1', port } })
  return choosing(client, { lab, place, process })
}
