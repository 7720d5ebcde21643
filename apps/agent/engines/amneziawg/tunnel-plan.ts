import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import type { AccessOf, AwgParameters, InboundOf } from '@sallyport/contract/agent/agent'
import { awgMtu, awgProblems } from '@sallyport/domain/vpn/awg-rules'
import type { Served } from '../../common/reconcile.ts'
import type { Trouble } from '../common/engine.ts'

/** What the tunnels of this node are to be, decided without touching anything. */

export interface PeerSpec {
  readonly id: string
  /** Keys are hexadecimal here, as the engine takes them. */
  readonly publicKey: string
  readonly presharedKey: string
  readonly address: string
}

export interface TunnelSpec {
  /** Of the network interface. */
  readonly name: string
  /** For messages: inbound wg-1, or access a12. */
  readonly title: string
  /** The access of a personal tunnel; null when many share it. */
  readonly owner: { readonly id: string; readonly revision: number } | null
  /** The tag of the inbound that many share. */
  readonly inbound?: string
  readonly port: number
  readonly privateKey: string
  readonly mtu: number
  /** Null for plain WireGuard. */
  readonly parameters: AwgParameters | null
  /** By access id. */
  readonly peers: ReadonlyMap<string, PeerSpec>
}

export interface Plan {
  readonly tunnels: readonly TunnelSpec[]
  readonly troubles: readonly Trouble[]
}

export interface TunnelNames {
  /** What the names of all our interfaces begin with; other agents on this machine have another one. */
  readonly prefix: string
  readonly table: string
  interfaceOf(key: string): string
}

const wireguardMtu = 1420
const digits = 36

const shortHash = (text: string, length: number): string => {
  const hash = createHash('sha256').update(text).digest('hex')
  return BigInt(`0x${hash}`).toString(digits).slice(-length)
}

/** Linux allows 15 characters: 3 for the prefix, 4 for the directory, 8 for the tunnel. */
export const tunnelNames = (directory: string): TunnelNames => {
  const agent = shortHash(resolve(directory), 4)
  return {
    prefix: `slp${agent}`,
    table: `sallyport_${agent}`,
    interfaceOf: (key) => `slp${agent}${shortHash(key, 8)}`,
  }
}

type Wg = AccessOf<'shared'> & { readonly account: { readonly protocol: 'wg' } }
type Personal = AccessOf<'amnezia-wg'>
type Keys = { readonly public_key: string; readonly preshared_key: string; readonly address: string }

const hexKey = (key: string): string | null => {
  const bytes = Buffer.from(key, 'base64')
  return bytes.length === 32 && bytes.toString('base64') === key ? bytes.toString('hex') : null
}

/** 100.64.0.0/10 without the address of the node itself. */
export const isTunnelAddress = (address: string): boolean => {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1).map(Number)
  if (!parts || parts.some((part) => part > 255) || parts.join('.') !== address) return false
  const [first, second = 0] = parts
  return first === 100 && second >= 64 && second < 128 && address !== '100.64.0.1'
}

/** Refuses by throwing a sentence. */
const peerSpec = (id: string, keys: Keys): PeerSpec => {
  const [publicKey, presharedKey] = [hexKey(keys.public_key), hexKey(keys.preshared_key)]
  if (publicKey === null) throw new Error('its public key is not 32 bytes in Base64')
  if (presharedKey === null) throw new Error('its preshared key is not 32 bytes in Base64')
  if (!isTunnelAddress(keys.address)) throw new Error('its address is not one of 100.64.0.0/10')
  return { id, publicKey, presharedKey, address: keys.address }
}

/** Whether the customer has another key now, and whoever has the old one is to be let in no more. */
const isRenewed = (peer: PeerSpec, { public_key: key }: Keys): boolean => {
  const publicKey = hexKey(key)
  return publicKey !== null && publicKey !== peer.publicKey
}

const privateKeyOf = (key: string): string => {
  const hex = hexKey(key)
  if (hex === null) throw new Error('the private key is not 32 bytes in Base64')
  return hex
}

class Planner {
  readonly troubles: Trouble[] = []
  readonly #names: TunnelNames
  readonly #before: ReadonlyMap<string, TunnelSpec>
  readonly #addresses = new Set<string>()
  readonly #ports = new Set<number>()
  readonly #foreign: ReadonlySet<string>

  constructor(names: TunnelNames, before: ReadonlyMap<string, TunnelSpec>, foreign: ReadonlySet<string>) {
    this.#names = names
    this.#before = before
    this.#foreign = foreign
  }

  shared(inbound: InboundOf<'wg'>, accesses: readonly Wg[]): TunnelSpec | null {
    const name = this.#names.interfaceOf(`inbound:${inbound.tag}`)
    const before = this.#before.get(name)
    const peers = this.#sharedPeers(accesses, before)
    if (peers.size === 0) return null
    try {
      const privateKey = privateKeyOf(inbound.private_key)
      const port = this.#takePort(inbound.port)
      const { tag } = inbound
      const common = { name, title: `inbound ${tag}`, owner: null, inbound: tag }
      return { ...common, port, privateKey, mtu: wireguardMtu, parameters: null, peers }
    } catch (error) {
      this.#refuse({ inbound: inbound.tag }, `inbound ${inbound.tag}: `, error)
      return before ? { ...before, peers } : null
    }
  }

  /** What cannot be taken leaves in force what was there before, unless somebody else was let in there. */
  personal(access: Personal): TunnelSpec | null {
    const name = this.#names.interfaceOf(`access:${access.id}`)
    try {
      const { id, revision, parameters } = access
      const problems = awgProblems(parameters).map(({ path, problem }) => `${path}: ${problem}`)
      if (problems.length > 0) throw new Error(problems.join('; '))
      const privateKey = privateKeyOf(access.private_key)
      const peer = this.#takeAddress(peerSpec(id, access.peer))
      const port = this.#takePort(access.port)
      const owner = { id, revision }
      const peers = new Map([[id, peer]])
      const mtu = awgMtu(parameters)
      return { name, title: `access ${id}`, owner, port, privateKey, mtu, parameters, peers }
    } catch (error) {
      this.#refuse(access, '', error)
      const before = this.#before.get(name)
      const isLost = before?.peers.values().some(({ address }) => this.#foreign.has(address))
      const isOther = before?.peers.values().some((peer) => isRenewed(peer, access.peer))
      return before && !isOther && !isLost ? before : null
    }
  }

  orphan(access: Wg): void {
    this.#refuse(access, '', new Error(`inbound ${access.inbound} is not served`))
  }

  #sharedPeers(accesses: readonly Wg[], before: TunnelSpec | undefined): Map<string, PeerSpec> {
    const peers = new Map<string, PeerSpec>()
    const keys = new Set<string>()
    for (const access of accesses) {
      try {
        const peer = peerSpec(access.id, access.account)
        if (keys.has(peer.publicKey)) throw new Error('its public key is taken on this inbound')
        peers.set(access.id, this.#takeAddress(peer))
        keys.add(peer.publicKey)
      } catch (error) {
        this.#refuse(access, '', error)
        const kept = before?.peers.get(access.id)
        if (
          kept &&
          !isRenewed(kept, access.account) &&
          !keys.has(kept.publicKey) &&
          this.#isFree(kept.address)
        ) {
          peers.set(access.id, this.#takeAddress(kept))
          keys.add(kept.publicKey)
        }
      }
    }
    return peers
  }

  #takeAddress(peer: PeerSpec): PeerSpec {
    if (this.#foreign.has(peer.address)) {
      throw new Error(`its address ${peer.address} is used by another agent on this machine`)
    }
    if (this.#addresses.has(peer.address)) throw new Error(`its address ${peer.address} is taken`)
    this.#addresses.add(peer.address)
    return peer
  }

  #isFree(address: string): boolean {
    return !this.#addresses.has(address) && !this.#foreign.has(address)
  }

  #takePort(port: number): number {
    if (this.#ports.has(port)) throw new Error(`UDP port ${port} is taken by another tunnel`)
    this.#ports.add(port)
    return port
  }

  #refuse(of: Partial<Trouble>, prefix: string, error: unknown): void {
    const reason = prefix + (error instanceof Error ? error.message : String(error))
    const { id = null, revision = null } = of
    this.troubles.push({ id, revision, reason, ...(id === null && of.inbound && { inbound: of.inbound }) })
  }
}

/** One tunnel an inbound that has customers, and one a personal access. */
export const planTunnels = (
  { inbounds, accesses }: Served,
  names: TunnelNames,
  before: ReadonlyMap<string, TunnelSpec>,
  /** Addresses that lead into interfaces of others. */
  foreign: ReadonlySet<string> = new Set(),
): Plan => {
  const planner = new Planner(names, before, foreign)
  const isWg = (access: Served['accesses'][number]): access is Wg =>
    access.kind === 'shared' && access.account.protocol === 'wg'
  const byInbound = Map.groupBy(accesses.filter(isWg), ({ inbound }) => inbound)
  const shared = inbounds
    .filter((inbound) => inbound.protocol === 'wg')
    .map((inbound) => {
      const customers = byInbound.get(inbound.tag) ?? []
      byInbound.delete(inbound.tag)
      return planner.shared(inbound, customers)
    })
  for (const customers of byInbound.values()) for (const access of customers) planner.orphan(access)
  const personal = accesses
    .filter((access) => access.kind === 'amnezia-wg')
    .map((access) => planner.personal(access))
  const tunnels = [...shared, ...personal].filter((tunnel) => tunnel !== null)
  return { tunnels, troubles: planner.troubles }
}
