import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compileCache } from '../process.ts'
import { LabProcess, type RunOptions } from './lab-process.ts'
import { removal, staleRuns } from './leftovers.ts'

/**
 * A small internet of network namespaces. Its public addresses are those set aside for documentation, which no
 * private-target rule covers; the machine's own network is neither used nor changed.
 */

export const addresses = {
  client: '203.0.113.10',
  entry: '198.51.100.10',
  exit: '198.51.100.20',
  site: '192.0.2.80',
  otherSite: '192.0.2.81',
  resolver: '192.0.2.53',
  familyResolvers: ['1.1.1.3', '1.0.0.3'],
  warp: '162.159.192.1',
  /** Where mtg looks for Telegram's second data centre. */
  telegram: ['149.154.167.51', '95.161.76.100'],
  /** A neighbour of the entry server that no customer may reach, and the entry's own address there. */
  home: '10.77.0.2',
  entryAtHome: '10.77.0.1',
} as const

const gateways = ['203.0.113.1', '198.51.100.1'] as const
const firstFurtherClient = 11

export type Role = 'internet' | 'client' | 'entry' | 'exit' | 'home'
export type ServerRole = 'entry' | 'exit'

/** One machine of the lab. */
export interface Place {
  readonly namespace: string
  readonly address: string
  readonly gateway: string
}

const run = promisify(execFile)
const programs = fileURLToPath(new URL('./programs/', import.meta.url))

const ip = async (...args: string[]): Promise<string> => (await run('ip', args)).stdout

export class Lab {
  readonly name: string
  /** Scratch files of this lab; removed with it. */
  readonly directory: string
  readonly #keeper: ChildProcess
  readonly #places = new Map<string, Place>()
  readonly #management = new Map<ServerRole, { readonly root: string; readonly server: string }>()
  #furtherClients = 0
  #ports = 20_000

  private constructor(name: string, directory: string) {
    this.name = name
    this.directory = directory
    // It outlives this process by as long as the removal takes, however this process ends.
    this.#keeper = spawn('/bin/sh', ['-c', `cat >/dev/null\n${removal}`, 'keeper', name, directory], {
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      detached: true,
    })
    this.#keeper.unref()
  }

  static async open(): Promise<Lab> {
    for (const stale of await staleRuns()) await run('/bin/sh', ['-c', removal, 'leftovers', stale, ''])
    const name = `spe-${process.pid}-${randomBytes(3).toString('hex')}`
    const lab = new Lab(name, mkdtempSync(join(tmpdir(), 'sallyport-lab-')))
    try {
      await lab.#build()
    } catch (error) {
      await lab.close()
      throw error
    }
    return lab
  }

  place(role: Role): Place {
    const place = this.#places.get(role)
    if (!place) throw new Error(`There is no ${role} in the lab`)
    return place
  }

  /** The address at which the machine that runs the tests is reached from a server. */
  managementAddress(role: ServerRole): string {
    const pair = this.#management.get(role)
    if (!pair) throw new Error(`${role} has no management link`)
    return pair.root
  }

  /** Another customer's machine, for a client that takes the whole machine's traffic. */
  addClient(): Promise<Place> {
    const index = this.#furtherClients++
    return this.#attach(`client${index + 1}`, `203.0.113.${firstFurtherClient + index}`)
  }

  /** A port that nothing else of this lab was given. */
  nextPort(): number {
    return this.#ports++
  }

  /** A file with so many bytes. */
  async fileOf(size: number): Promise<string> {
    const file = join(this.directory, `bytes-${size}`)
    await writeFile(file, Buffer.alloc(size, 9))
    return file
  }

  /** Interface names and files in /run are shared by the whole machine, so they carry the lab's own part. */
  uniqueName(suffix: string): string {
    return `spe${this.name.slice(-6)}${suffix}`
  }

  run(place: Place, command: string, args: readonly string[], options: RunOptions = {}): LabProcess {
    return new LabProcess(['ip', 'netns', 'exec', place.namespace, command, ...args], options)
  }

  program(place: Place, name: string, input: unknown): LabProcess {
    const file = join(programs, `${name}.ts`)
    return this.run(place, process.execPath, [file, JSON.stringify(input)], { env: compileCache })
  }

  ip(place: Place, ...args: string[]): Promise<string> {
    return ip('-n', place.namespace, ...args)
  }

  /** Which resolver programs started in this place from now on find in their resolv.conf. */
  setResolvers(place: Place, resolvers: readonly string[]): void {
    const folder = `/etc/netns/${place.namespace}`
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'resolv.conf'), resolvers.map((address) => `nameserver ${address}\n`).join(''))
  }

  async setKernel(place: Place, key: string, value: string): Promise<void> {
    const file = `/proc/sys/net/${key}`
    const write = 'printf %s "$2" > "$1"'
    await run('ip', ['netns', 'exec', place.namespace, '/bin/sh', '-c', write, 'set', file, value])
  }

  async close(): Promise<void> {
    if (this.#keeper.exitCode !== null) return
    this.#keeper.ref()
    const ended = once(this.#keeper, 'exit')
    this.#keeper.stdin?.end()
    await ended
  }

  async #build(): Promise<void> {
    await this.#buildInternet()
    await this.#attach('client', addresses.client)
    await this.#attach('entry', addresses.entry)
    await this.#attach('exit', addresses.exit)
    await this.#buildHome()
    await this.#linkForManagement('entry')
    await this.#linkForManagement('exit')
  }

  async #addNamespace(role: string, address: string, gateway: string): Promise<Place> {
    const place = { namespace: `${this.name}-${role}`, address, gateway }
    await ip('netns', 'add', place.namespace)
    await this.ip(place, 'link', 'set', 'lo', 'up')
    this.setResolvers(place, [addresses.resolver])
    this.#places.set(role, place)
    return place
  }

  async #buildInternet(): Promise<void> {
    const place = await this.#addNamespace('internet', addresses.site, '')
    // With an address of its own: it would otherwise change with every machine added, unknown to the others.
    await this.ip(place, 'link', 'add', 'bridge', 'address', '02:00:00:00:00:01', 'type', 'bridge')
    await this.ip(place, 'link', 'set', 'bridge', 'up')
    const { site, otherSite, resolver, familyResolvers, warp, telegram } = addresses
    const hosted = [site, otherSite, resolver, ...familyResolvers, warp, ...telegram]
    const own = [...gateways.map((gateway) => `${gateway}/24`), ...hosted.map((address) => `${address}/32`)]
    for (const address of own) await this.ip(place, 'address', 'add', address, 'dev', 'bridge')
    // Both halves of this internet hang on one bridge; without these the kernel would tell them a shorter way.
    await this.setKernel(place, 'ipv4/conf/all/send_redirects', '0')
    await this.setKernel(place, 'ipv4/conf/bridge/send_redirects', '0')
    await this.setKernel(place, 'ipv4/ip_forward', '1')
  }

  async #attach(role: string, address: string): Promise<Place> {
    const network = address.slice(0, address.lastIndexOf('.'))
    const gateway = `${network}.1`
    const place = await this.#addNamespace(role, address, gateway)
    const internet = this.place('internet')
    const port = ['link', 'add', role, 'netns', internet.namespace, 'type', 'veth']
    await ip(...port, 'peer', 'name', 'eth0', 'netns', place.namespace)
    await this.ip(internet, 'link', 'set', role, 'master', 'bridge', 'up')
    await this.ip(place, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    await this.ip(place, 'link', 'set', 'eth0', 'up')
    await this.ip(place, 'route', 'add', 'default', 'via', gateway)
    return place
  }

  async #buildHome(): Promise<void> {
    const { home, entryAtHome } = addresses
    const entry = this.place('entry')
    const place = await this.#addNamespace('home', home, entryAtHome)
    const link = ['link', 'add', 'home', 'netns', entry.namespace, 'type', 'veth']
    await ip(...link, 'peer', 'name', 'eth0', 'netns', place.namespace)
    await this.ip(entry, 'address', 'add', `${entryAtHome}/24`, 'dev', 'home')
    await this.ip(entry, 'link', 'set', 'home', 'up')
    await this.ip(place, 'address', 'add', `${home}/24`, 'dev', 'eth0')
    await this.ip(place, 'link', 'set', 'eth0', 'up')
    await this.ip(place, 'route', 'add', 'default', 'via', entryAtHome)
  }

  /** Agents reach the service over a private link that customers must not be able to reach through them. */
  async #linkForManagement(role: ServerRole): Promise<void> {
    const place = this.place(role)
    const name = this.uniqueName(role === 'entry' ? 'm0' : 'm1')
    const pair = await freeNetwork()
    await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'manage', 'netns', place.namespace)
    await ip('address', 'add', `${pair.root}/30`, 'dev', name)
    await ip('link', 'set', name, 'up')
    await this.ip(place, 'address', 'add', `${pair.server}/30`, 'dev', 'manage')
    await this.ip(place, 'link', 'set', 'manage', 'up')
    this.#management.set(role, pair)
  }
}

/** A pair of neighbouring addresses in 10.78.0.0/16 that no other lab on this machine uses. */
const freeNetwork = async (): Promise<{ root: string; server: string }> => {
  const taken = await ip('-o', '-4', 'address')
  for (;;) {
    const [third = 0, fourth = 0] = randomBytes(2)
    const network = `10.78.${third}`
    const base = fourth & 0xfc
    if (!taken.includes(` ${network}.${base + 1}/`))
      return { root: `${network}.${base + 1}`, server: `${network}.${base + 2}` }
  }
}
