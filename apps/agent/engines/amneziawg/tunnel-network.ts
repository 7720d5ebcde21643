import { open, readFile, writeFile } from 'node:fs/promises'
import { messageOf } from '../../common/backoff.ts'
import { nftRemoval, nftRuleset, tunnelNetwork } from '../isolation/nft.ts'
import { feed, runNft } from '../process/feed.ts'
import type { TunnelNames } from './tunnel-plan.ts'

/** What tunnels need of this machine besides the engine: forwarding, address translation and routes. */

const forwardingSwitch = '/proc/sys/net/ipv4/ip_forward'
const netAdmin = 1n << 12n

/** Lines of `ip`, carried out in one call. Stops at the first that fails. */
export const runIp = async (lines: readonly string[]): Promise<void> => {
  if (lines.length > 0) await feed('ip', ['-batch', '-'], `${lines.join('\n')}\n`)
}

/** Carries out what can be, for lines that may have nothing to do any more. */
export const tryIp = async (lines: readonly string[]): Promise<void> => {
  if (lines.length > 0) await feed('ip', ['-force', '-batch', '-'], `${lines.join('\n')}\n`).catch(() => {})
}

interface Route {
  readonly dst: string
  readonly dev?: string
}

/** Every agent on a machine gives out the same addresses; those that lead elsewhere must be left alone. */
export const foreignAddresses = async (prefix: string): Promise<Set<string>> =>
  new Set((await routes()).filter(({ dev = '' }) => !dev.startsWith(prefix)).map(({ dst }) => dst))

const routes = async (): Promise<Route[]> =>
  JSON.parse((await feed('ip', ['-json', '-4', 'route', 'show', 'root', tunnelNetwork], '')) || '[]')

export const routeLines = (
  verb: 'replace' | 'delete' | 'add',
  name: string,
  addresses: Iterable<string>,
): string[] => [...addresses].map((address) => `route ${verb} ${address}/32 dev ${name}`)

const isRunnable = (program: string, args: readonly string[]): Promise<boolean> =>
  feed(program, args, '').then(
    () => true,
    () => false,
  )

const mayAdministerNetworks = async (): Promise<boolean> => {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'
  return (BigInt(`0x${effective}`) & netAdmin) !== 0n
}

/** What this machine lacks for tunnels and how to get it, or null. */
export const whyNoTunnels = async (): Promise<string | null> => {
  if (process.platform !== 'linux') return 'tunnels need Linux'
  if (!(await mayAdministerNetworks())) {
    return 'tunnels need the right to change the network: run the agent as root or give it CAP_NET_ADMIN'
  }
  const canOpenTun = await open('/dev/net/tun', 'r+').then(
    (file) => file.close().then(() => true),
    () => false,
  )
  if (!canOpenTun)
    return 'tunnels need /dev/net/tun: load the module tun, or pass the device to the container'
  if (!(await isRunnable('ip', ['-V']))) return 'tunnels need the program ip: install the package iproute2'
  if (!(await isRunnable('nft', ['list', 'tables']))) {
    return 'tunnels need nftables: install the package nftables and run a kernel that has it'
  }
  return null
}

const enableForwarding = async (): Promise<void> => {
  const isOn = async () => (await readFile(forwardingSwitch, 'utf8').catch(() => '')).trim() === '1'
  if (await isOn()) return
  await writeFile(forwardingSwitch, '1').catch(() => {})
  if (!(await isOn())) throw new Error('tunnels need net.ipv4.ip_forward=1, and it cannot be set from here')
}

export class TunnelNetwork {
  readonly #names: TunnelNames
  readonly #allowPrivateTargets: boolean

  constructor(names: TunnelNames, allowPrivateTargets: boolean) {
    this.#names = names
    this.#allowPrivateTargets = allowPrivateTargets
  }

  /** Puts everything in place that must be there before a tunnel; harmless when it is there already. */
  async ensure(): Promise<void> {
    const { table, prefix } = this.#names
    // Rules first: forwarding without them would let tunnels reach what they must not.
    await runNft(nftRuleset({ table, prefix, allowPrivateTargets: this.#allowPrivateTargets }))
    await enableForwarding()
  }

  /** Puts back the routes that somebody took away, and takes none from anybody. */
  async ensureRoutes(wanted: ReadonlyMap<string, string>): Promise<void> {
    const present = new Set((await routes()).map(({ dst }) => dst))
    const missing = [...wanted].filter(([address]) => !present.has(address))
    await tryIp(missing.flatMap(([address, name]) => routeLines('add', name, [address])))
  }

  foreignAddresses(): Promise<Set<string>> {
    return foreignAddresses(this.#names.prefix)
  }

  async remove(): Promise<void> {
    await runNft(nftRemoval(this.#names.table))
  }

  /** Interfaces with our names, whoever made them. */
  async interfaces(): Promise<string[]> {
    const links = JSON.parse((await feed('ip', ['-json', 'link', 'show'], '')) || '[]') as {
      ifname: string
    }[]
    return links.map(({ ifname }) => ifname).filter((name) => name.startsWith(this.#names.prefix))
  }
}

/** For messages: what went wrong, without a customer's address in it. */
export const networkProblem = (error: unknown): string =>
  messageOf(error).replaceAll(/\d+\.\d+\.\d+\.\d+(\/\d+)?/g, 'an address')
