import type { AccessOf, Certificate } from '@sallyport/contract/agent/agent'
import { hardenedXray } from '@sallyport/domain/vpn/engine/hardened-xray'
import type { XrayInstance } from '@sallyport/domain/vpn/engine/xray-json'
import type { InTurn, Run } from '../common/fleet-member.ts'
import type { Cell, Confinement } from '../isolation/confinement.ts'
import { outboundReach, type Reach, reachOf } from '../isolation/confinement-rules.ts'
import type { Targets } from '../isolation/targets.ts'
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
}

const startTimeoutMs = 15_000

/** Spliced bytes are counted only when a connection ends; without splicing the counters are live. */
const environment = { XRAY_BUF_SPLICE: 'disable' }

/** The site that an access borrows, as the engine is to go there. */
interface Borrowed {
  readonly target?: string | undefined
  /** The agent's own site is a private place. */
  readonly reach: readonly Reach[]
  /** Called when a program goes there from now on; says later whether it still may. */
  keep(): () => boolean
}

/** What the customer's JSON has strangers sent to; undefined without REALITY. */
export const namedTarget = ({ config }: Pick<InstanceAccess, 'config'>): string | undefined =>
  (JSON.parse(config) as XrayInstance).inbounds[0].streamSettings.realitySettings?.target

const borrowed = async (access: InstanceAccess, options: InstanceOptions): Promise<Borrowed> => {
  const { targets, siteTarget } = options
  if (access.site) {
    const target = await siteTarget(access.site)
    return { target, reach: reachOf(target), keep: () => () => false }
  }
  const named = namedTarget(access)
  if (named === undefined) return { reach: [], keep: () => () => false }
  const target = await targets.settle(named)
  const keep = () => {
    targets.keep(named, target)
    return () => targets.isStale(named, target)
  }
  return { target, reach: [], keep }
}

interface Surroundings {
  readonly apiPort: number
  readonly target?: string | undefined
  readonly allowPrivateTargets: boolean
  readonly allowUdp?: boolean
}

/** The configuration as it runs. Throws when what was given is none at all. */
export const configText = ({ config, ...access }: InstanceAccess, at: Surroundings): string =>
  JSON.stringify(hardenedXray(JSON.parse(config) as XrayInstance, { ...access, ...at }))

/** Without a wall, only the absence of UDP keeps customers from private networks. */
const freedoms = ({ confinement, allowPrivateTargets }: InstanceOptions) => ({
  allowPrivateTargets,
  allowUdp: allowPrivateTargets || confinement.hasWall,
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

/** A personal Xray in its cell; its configuration comes by its standard input, so none lies on the disk. */
class Instance implements Run {
  readonly exited: Promise<string>
  readonly #child: Child
  readonly #api: XrayApi
  readonly #isStale: () => boolean

  constructor(child: Child, apiPort: number, isStale: () => boolean, onExit: () => void) {
    this.#child = child
    this.#isStale = isStale
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
    const rows = await this.#api.traffic()
    const sum = (side: 'up' | 'down') => rows.reduce((total, row) => total + row[side], 0)
    return { up: sum('up'), down: sum('down') }
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
}

const spawnInstance = (
  { text, apiPort, cell, isStale }: Spawning,
  { binary, confinement }: InstanceOptions,
) => {
  const release = () => confinement.release(cell)
  try {
    const process = confinement.spawn(cell, binary, { args: ['run', '-c', 'stdin:'], env: environment })
    return new Instance(new Child(process, xrayFailure, text), apiPort, isStale, release)
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
    const instance = spawnInstance({ text, apiPort, cell, isStale: site.keep() }, options)
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
