import type { AccessOf, Certificate } from '@sallyport/contract/agent/agent'
import { hardenedXray } from '@sallyport/domain/vpn/engine/hardened-xray'
import type { XrayInstance } from '@sallyport/domain/vpn/engine/xray-json'
import type { InTurn, Run } from '../common/fleet-member.ts'
import type { Cell, Confinement } from '../isolation/confinement.ts'
import { outboundReach, type Reach, reachOf } from '../isolation/confinement-rules.ts'
import type { Targets } from '../isolation/targets.ts'
import { ownAddresses } from '../net/own-addresses.ts'
import type { PortBytes, PortCount, PortMeter } from '../net/port-meter.ts'
import { portProblem, withFreePort } from '../net/ports.ts'
import { Child } from '../process/child.ts'
import { tryConfiguration, type Verdict, xrayFailure } from '../xray/trial.ts'
import { XrayApi } from '../xray/xray-api.ts'

export type InstanceAccess = AccessOf<'instance'>

export interface InstanceOptions {
  readonly binary: string
  readonly confinement: Confinement
  readonly allowPrivateTargets: boolean
  /** host:port of the agent's own site under this certificate. */
  readonly siteTarget: (certificate: Certificate) => Promise<string>
  readonly targets: Targets
  readonly ports: PortMeter
}

const startTimeoutMs = 15_000

/** Spliced bytes are counted only when a connection ends; without splicing the counters are live. */
const environment = { XRAY_BUF_SPLICE: 'disable' }

/** The site that an access borrows, as the engine is to go there. */
interface Borrowed {
  readonly target?: string | undefined
  /** Whether the customer chose it; then whoever is passed on to it without a key is the customer's guest. */
  readonly isChosen: boolean
  /** The agent's own site is a private place. */
  readonly reach: readonly Reach[]
  /** Called when a program goes there from now on; says later whether it still may. */
  keep(): () => boolean
}

/** What the customer's JSON has strangers sent to; undefined without REALITY. */
export const namedTarget = ({ config }: Pick<InstanceAccess, 'config'>): string | undefined =>
  (JSON.parse(config) as XrayInstance).inbounds[0].streamSettings.realitySettings?.target

/** Whom an instance lets in; nobody when what was given is no configuration. */
export const clientsOf = ({ config }: Pick<InstanceAccess, 'config'>): Set<string> => {
  try {
    return new Set((JSON.parse(config) as XrayInstance).inbounds[0].settings.clients.map(({ id }) => id))
  } catch {
    return new Set()
  }
}

const borrowed = async (access: InstanceAccess, options: InstanceOptions): Promise<Borrowed> => {
  const { targets, siteTarget } = options
  if (access.site) {
    const target = await siteTarget(access.site)
    return { target, isChosen: false, reach: reachOf(target), keep: () => () => false }
  }
  const named = namedTarget(access)
  if (named === undefined) return { isChosen: false, reach: [], keep: () => () => false }
  const target = await targets.settle(named)
  const keep = () => {
    targets.keep(named, target)
    return () => targets.isStale(named, target)
  }
  return { target, isChosen: !targets.isOwn(named), reach: [], keep }
}

interface Surroundings {
  readonly apiPort: number
  readonly target?: string | undefined
  readonly allowPrivateTargets: boolean
  readonly allowUdp?: boolean
  readonly ownAddresses?: readonly string[]
}

/** The configuration as it runs. Throws when what was given is none at all. */
export const configText = ({ config, ...access }: InstanceAccess, at: Surroundings): string =>
  JSON.stringify(hardenedXray(JSON.parse(config) as XrayInstance, { ...access, ...at }))

/** Without a wall, only the absence of UDP keeps customers from private networks, and Xray's rules from this machine. */
const freedoms = ({ confinement, allowPrivateTargets }: InstanceOptions) => ({
  allowPrivateTargets,
  allowUdp: allowPrivateTargets || confinement.hasWall,
  ...(!confinement.hasWall && { ownAddresses: ownAddresses() }),
})

/** Has Xray read the configuration of an access as it would run. */
export const tryInstance = async (
  access: InstanceAccess,
  options: InstanceOptions,
  inTurn: InTurn,
): Promise<Verdict> => {
  const { binary, confinement } = options
  const { target } = await borrowed(access, options)
  const text = configText(access, { apiPort: 1, target, ...freedoms(options) })
  return inTurn(() => tryConfiguration(binary, confinement, text))
}

/** What Xray wraps its customer's bytes in: 5 to 7 % in the lab, most of it padding that Vision disguises itself with. */
const wrappingShare = 0.1

/**
 * Xray knows what its customer moved, the kernel what passed the port: that, wrapped, and whatever went to and from those who
 * were passed on to the site. Without such guests the customer is charged what Xray counts, as everybody is.
 */
export const withGuests = (own: PortBytes, moved: PortBytes): PortBytes => {
  const charged = (side: 'up' | 'down') =>
    Math.max(own[side], moved[side] - Math.ceil(own[side] * wrappingShare))
  return { up: charged('up'), down: charged('down') }
}

/** A personal Xray in its cell; its configuration comes by its standard input, so none lies on the disk. */
class Instance implements Run {
  readonly exited: Promise<string>
  readonly #child: Child
  readonly #api: XrayApi
  readonly #isStale: () => boolean
  readonly #port: PortCount | null

  constructor(child: Child, { apiPort, isStale, port }: Spawning, onExit: () => void) {
    this.#child = child
    this.#isStale = isStale
    this.#port = port
    this.#api = new XrayApi(apiPort)
    this.exited = child.exited.finally(() => {
      this.#api.close()
      onExit()
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get isStale(): boolean {
    return this.#isStale()
  }

  /** Resolves with the reason when it does not come up, or null. */
  failure(): Promise<string | null> {
    const isReady = this.#api.waitUntilReady(startTimeoutMs).then(
      () => null,
      () => 'its API did not answer',
    )
    return Promise.race([isReady, this.exited])
  }

  async traffic(): Promise<{ up: number; down: number }> {
    const [rows, moved] = await Promise.all([this.#api.traffic(), this.#port?.read()])
    const sum = (side: 'up' | 'down') => rows.reduce((total, row) => total + row[side], 0)
    return moved
      ? withGuests({ up: sum('up'), down: sum('down') }, moved)
      : { up: sum('up'), down: sum('down') }
  }

  async stop(): Promise<void> {
    await this.#child.kill()
    await this.exited
  }
}

const admit = (access: InstanceAccess, confinement: Confinement, site: Borrowed): Promise<Cell> => {
  const { id, port, exit } = access
  const reach = [...site.reach, ...(exit ? outboundReach(exit.outbound) : [])]
  return confinement.admit(id, { reach, port })
}

interface Spawning {
  readonly text: string
  readonly apiPort: number
  readonly cell: Cell
  readonly isStale: () => boolean
  readonly port: PortCount | null
}

const spawnInstance = (spawning: Spawning, { binary, confinement }: InstanceOptions) => {
  const { text, cell, port } = spawning
  const release = () => {
    confinement.release(cell)
    void port?.close()
  }
  try {
    const process = confinement.spawn(cell, binary, { args: ['run', '-c', 'stdin:'], env: environment })
    return new Instance(new Child(process, xrayFailure, text), spawning, release)
  } catch (error) {
    release()
    throw error
  }
}

const launch = async (access: InstanceAccess, site: Borrowed, options: InstanceOptions): Promise<Run> => {
  const problem = await portProblem(access.listen, access.port, ['tcp'])
  if (problem !== null) throw new Error(problem)
  return withFreePort(async (apiPort) => {
    const text = configText(access, { apiPort, target: site.target, ...freedoms(options) })
    const cell = await admit(access, options.confinement, site)
    const port = site.isChosen ? await options.ports.open(access.port) : null
    const instance = spawnInstance({ text, apiPort, cell, isStale: site.keep(), port }, options)
    const failure = await instance.failure()
    if (failure === null) return instance
    await instance.stop()
    throw new Error(`Xray did not start: ${failure}`)
  })
}

/** Starts the personal Xray of an access and waits until it answers. */
export const startInstance = async (
  access: InstanceAccess,
  options: InstanceOptions,
  inTurn: InTurn,
): Promise<Run> => {
  const site = await borrowed(access, options)
  return inTurn(() => launch(access, site, options))
}
