import { isIP } from 'node:net'
import { bracketed } from '@sallyport/domain/vpn/endpoint'
import { isAddress, isPublicAddress, publicNameProblem } from '@sallyport/domain/vpn/public-address'
import { messageOf } from '../../common/backoff.ts'
import type { Served } from '../../common/reconcile.ts'
import { type Resolve, resolveName } from '../net/resolve.ts'
import { limited } from '../process/child.ts'

/** Calls now and then until told to stop. */
export type Every = (work: () => void) => () => void

export interface TargetsOptions {
  readonly hasWall: boolean
  readonly allowPrivateTargets: boolean
  readonly resolve?: Resolve | undefined
  readonly every?: Every | undefined
}

/** Why a site is not borrowed, in words for the customer who named it. */
export class SiteRefusal extends Error {}

const lookAgainMs = 10 * 60_000
const looksAtOnce = 4

const everyTenMinutes: Every = (work) => {
  const timer = setInterval(work, lookAgainMs).unref()
  return () => clearInterval(timer)
}

const notOwn = (target: string): string =>
  `${target} is not a site of this server, which has no means to keep it off private networks: ` +
  'name the site that stood there at first, reset the settings, or move to another server'

const inboundTargets = ({ inbounds }: Pick<Served, 'inbounds'>): string[] =>
  inbounds.flatMap((inbound) => ('reality' in inbound ? inbound.reality.target : []))

const split = (target: string): { host: string; port: string } => {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(target) ?? []
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port }
}

/**
 * Sites that engines send strangers to by themselves, past all their rules. What a customer named goes there only by
 * an address that was looked at: a name may lead into the node's own network, today or tomorrow.
 */
export class Targets {
  readonly #options: TargetsOptions
  readonly #resolve: Resolve
  /** The address that each of the customers' sites is visited at. */
  readonly #pins = new Map<string, string>()
  #own: ReadonlySet<string> = new Set()
  #isTold = false
  #stop = (): void => {}

  constructor(options: TargetsOptions) {
    this.#options = options
    this.#resolve = options.resolve ?? resolveName
  }

  /**
   * Whose sites need no look. A service that does not say leaves those of the shared inbounds; others that it
   * put in itself cannot be told from a customer's then, so all of them are looked at and none is turned away.
   */
  learn({ inbounds, ownTargets }: Pick<Served, 'inbounds' | 'ownTargets'>): void {
    this.#own = new Set([...inboundTargets({ inbounds }), ...(ownTargets ?? [])].map(lowerCase))
    this.#isTold = ownTargets !== undefined
  }

  /** Whether customers may name no other sites than the server's. */
  get areOwnOnly(): boolean {
    return this.#isTold && !this.#options.hasWall && !this.#options.allowPrivateTargets
  }

  /** Whether it is one that the service put in, and not one of a customer's choosing. */
  isOwn(target: string): boolean {
    return this.#own.has(lowerCase(target))
  }

  /** The host:port to go to for the one that was named. Rejects with what the customer should know. */
  async settle(target: string): Promise<string> {
    if (this.#isFree(target)) return target
    if (this.areOwnOnly) throw new SiteRefusal(notOwn(target))
    const { host, port } = split(target)
    if (isAddress(host)) {
      if (isPublicAddress(host)) return target
      throw new SiteRefusal(`${target} is not a public address: name a public site`)
    }
    return `${bracketed(await this.#address(target, host))}:${port}`
  }

  /** Notes what a program was started with, so that it can be told when the site has moved. */
  keep(target: string, settled: string): void {
    if (target !== settled) this.#pins.set(target, split(settled).host)
  }

  /** Whether a program that was started so has to be started anew, or must not run at all. */
  isStale(target: string, settled: string): boolean {
    if (this.#isFree(target)) return false
    if (this.areOwnOnly) return true
    const { host } = split(target)
    return isAddress(host) ? !isPublicAddress(host) : this.#pins.get(target) !== split(settled).host
  }

  /** Looks now and then whether the sites in use have moved, and says so when one has. */
  watch(inUse: () => readonly string[], onMove: () => void): void {
    const { every = everyTenMinutes } = this.#options
    this.#stop = every(() => void this.#look(new Set(inUse())).then((hasMoved) => hasMoved && onMove()))
  }

  stop(): void {
    this.#stop()
  }

  #isFree(target: string): boolean {
    return this.#options.allowPrivateTargets || this.isOwn(target)
  }

  /** The address that was taken before where it still is one of the site, or where nobody can say. */
  async #address(target: string, host: string): Promise<string> {
    const problem = publicNameProblem(host)
    if (problem !== null) throw new SiteRefusal(`the name ${host} cannot be used: it ${problem}`)
    const pin = this.#pins.get(target)
    let addresses: readonly string[]
    try {
      addresses = await this.#resolve(host)
    } catch (error) {
      if (pin !== undefined) return pin
      throw new SiteRefusal(
        `${host} cannot be resolved here (${messageOf(error)}): name another site, or try again`,
      )
    }
    if (!addresses.every(isPublicAddress)) {
      throw new SiteRefusal(`${host} leads to an address that is not public: name another site`)
    }
    return pin !== undefined && addresses.includes(pin) ? pin : preferred(addresses, host)
  }

  /** A site that answers nothing, or something that is not public, stays where it was. */
  async #look(inUse: ReadonlySet<string>): Promise<boolean> {
    for (const target of this.#pins.keys()) if (!inUse.has(target)) this.#pins.delete(target)
    const looking = limited(looksAtOnce)
    const moves = [...this.#pins].map(([target, pin]) =>
      looking(async () => {
        const address = await this.#address(target, split(target).host).catch(() => pin)
        if (address !== pin) this.#pins.set(target, address)
        return address !== pin
      }),
    )
    return (await Promise.all(moves)).includes(true)
  }
}

const lowerCase = (text: string): string => text.toLowerCase()

/** IPv4 first: not every server has the other. */
const preferred = (addresses: readonly string[], host: string): string => {
  const address = addresses.find((one) => isIP(one) === 4) ?? addresses[0]
  if (address === undefined) throw new SiteRefusal(`${host} has no address: name another site`)
  return address
}
