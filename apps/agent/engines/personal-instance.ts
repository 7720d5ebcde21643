import type { AccessOf, Certificate } from '@sallyport/contract/agent'
import { hardenedXray } from '@sallyport/domain/engine/hardened-xray'
import type { XrayInstance } from '@sallyport/domain/engine/xray-json'
import { Child } from './child.ts'
import type { Cell, Confinement } from './confinement.ts'
import { outboundReach, reachOf } from './confinement-rules.ts'
import type { Run } from './fleet-member.ts'
import { portProblem, withFreePort } from './ports.ts'
import { tryConfiguration, type Verdict, xrayFailure } from './trial.ts'
import { XrayApi } from './xray-api.ts'

export type InstanceAccess = AccessOf<'instance'>

export interface InstanceOptions {
  readonly binary: string
  readonly confinement: Confinement
  readonly allowPrivateTargets: boolean
  /** host:port of the agent's own site under this certificate. */
  readonly siteTarget: (certificate: Certificate) => Promise<string>
}

const startTimeoutMs = 15_000

/** Spliced bytes are counted only when a connection ends; without splicing the counters are live. */
const environment = { XRAY_BUF_SPLICE: 'disable' }

const siteOf = async (
  { site }: InstanceAccess,
  { siteTarget }: InstanceOptions,
): Promise<string | undefined> => site && (await siteTarget(site))

interface Surroundings {
  readonly apiPort: number
  readonly siteTarget?: string | undefined
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
export const tryInstance = async (access: InstanceAccess, options: InstanceOptions): Promise<Verdict> => {
  const { binary, confinement } = options
  const siteTarget = await siteOf(access, options)
  const text = configText(access, { apiPort: 1, siteTarget, ...freedoms(options) })
  return tryConfiguration(binary, confinement, text)
}

/** A personal Xray in its cell; its configuration comes by its standard input, so none lies on the disk. */
class Instance implements Run {
  readonly exited: Promise<string>
  readonly #child: Child
  readonly #api: XrayApi

  constructor(child: Child, apiPort: number, onExit: () => void) {
    this.#child = child
    this.#api = new XrayApi(apiPort)
    this.exited = child.exited.finally(() => {
      this.#api.close()
      onExit()
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
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

const admit = (access: InstanceAccess, confinement: Confinement, siteTarget = ''): Promise<Cell> => {
  const { id, port, exit } = access
  const reach = [...reachOf(siteTarget), ...(exit ? outboundReach(exit.outbound) : [])]
  return confinement.admit(id, { reach, port })
}

const spawnInstance = (
  text: string,
  apiPort: number,
  cell: Cell,
  { binary, confinement }: InstanceOptions,
) => {
  const release = () => confinement.release(cell)
  try {
    const process = confinement.spawn(cell, binary, { args: ['run', '-c', 'stdin:'], env: environment })
    return new Instance(new Child(process, xrayFailure, text), apiPort, release)
  } catch (error) {
    release()
    throw error
  }
}

/** Starts the personal Xray of an access and waits until it answers. */
export const startInstance = async (access: InstanceAccess, options: InstanceOptions): Promise<Run> => {
  const { confinement } = options
  const problem = await portProblem(access.listen, access.port, ['tcp'])
  if (problem !== null) throw new Error(problem)
  const siteTarget = await siteOf(access, options)
  return withFreePort(async (apiPort) => {
    const text = configText(access, { apiPort, siteTarget, ...freedoms(options) })
    const instance = spawnInstance(text, apiPort, await admit(access, confinement, siteTarget), options)
    const failure = await instance.failure()
    if (failure === null) return instance
    await instance.stop()
    throw new Error(`Xray did not start: ${failure}`)
  })
}
