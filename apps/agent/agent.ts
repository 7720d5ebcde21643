import type { Report } from '@sallyport/contract/agent/report'
import { Applier, notCarriedOf } from './apply.ts'
import { backoff, messageOf, sleep } from './common/backoff.ts'
import { portsOf } from './common/reconcile.ts'
import { requestIdOf } from './common/request-id.ts'
import { Engines, type EnginesOptions } from './engines/engines.ts'
import { enrol } from './enrol.ts'
import { ServiceError } from './envelope.ts'
import { hostStats } from './host-stats.ts'
import { removeEnrolmentToken } from './machine/enrolment-token.ts'
import { Readiness } from './machine/readiness.ts'
import { ReservedPorts } from './machine/reserved-ports.ts'
import { Restarts } from './machine/restart.ts'
import { Upgrades } from './machine/upgrade.ts'
import { countersPerReport, Meter } from './metering.ts'
import packageJson from './package.json' with { type: 'json' }
import { connectService, describeFailure, type Service } from './service.ts'
import { type Identity, readIdentity } from './state.ts'
import { Trials } from './trials.ts'

export interface AgentOptions {
  /** Origin of the service, for example https://vpn.example.com. */
  readonly serviceUrl: string
  readonly stateDir: string
  /** Needed once, to become a node; ignored by a node that the service knows. */
  readonly enrolmentToken?: string
  readonly reportIntervalMs?: number
  readonly meterIntervalMs?: number
  readonly allowPrivateTargets?: boolean
  /** Ports that are kept from outgoing connections whatever is served, as "10000-29999". */
  readonly reservedPorts?: string
  /** Gets the number of this process when the service has taken its first report. */
  readonly readyFile?: string
  readonly log: (message: string) => void
  readonly locate: EnginesOptions['locate']
}

export interface RunningAgent {
  /** Stops the engines and tells the service the last counters. */
  stop(): Promise<void>
}

/** The service does not know this machine and has not let it in: trying again would change nothing. */
export class NotEnrolled extends Error {}

const pollWaitSeconds = 25
const engineLookMs = 60_000
const applyRetryMs = 10_000
const lastReportMs = 2000
/** Between two reports, however much changes: the service bounds how many it takes. */
const reportPauseMs = 250
/** The service answers at once while a trial is open, so the next question waits a little. */
const openTrialMs = 200

/** Serves what is on disk at once, then follows the service until stopped. */
export const runAgent = async (options: AgentOptions): Promise<RunningAgent> => {
  const agent = new Agent(options, await Meter.open(options.stateDir))
  await agent.start()
  return agent
}

class Agent implements RunningAgent {
  readonly #options: AgentOptions
  readonly #meter: Meter
  readonly #engines: Engines
  readonly #trials: Trials
  readonly #reserved: ReservedPorts
  readonly #restarts: Restarts
  readonly #upgrades: Upgrades
  readonly #readiness: Readiness
  readonly #stopping = new AbortController()
  readonly #loops: Promise<void>[] = []
  #applier!: Applier
  #service!: Service
  #takeHostStats!: Awaited<ReturnType<typeof hostStats>>
  #liveBootIds: ReadonlySet<string> = new Set()
  #wakeReport = () => {}
  #trouble: string | null = null
  #mayEnrolAnew: boolean
  /** What the service reads in a report besides what all of them do; undefined before it has said so. */
  #reads: readonly string[] | undefined

  constructor(options: AgentOptions, meter: Meter) {
    this.#options = options
    this.#meter = meter
    this.#mayEnrolAnew = options.enrolmentToken !== undefined
    this.#engines = new Engines({
      directory: options.stateDir,
      allowPrivateTargets: options.allowPrivateTargets ?? false,
      log: options.log,
      beforeStop: () => this.#readMeter(),
      locate: options.locate,
    })
    this.#reserved = new ReservedPorts({
      directory: options.stateDir,
      always: options.reservedPorts,
      log: options.log,
    })
    this.#restarts = new Restarts(options)
    this.#upgrades = new Upgrades({ stateDir: options.stateDir, log: options.log })
    this.#readiness = new Readiness(options)
    this.#trials = new Trials({
      tryConfig: (config, ownTargets) => this.#engines.tryConfig(config, ownTargets),
      answer: (id, { isAccepted, reason }) =>
        this.#service.answerTrial(id, { is_accepted: isAccepted, reason }, this.#stopping.signal),
      log: (message) => this.#stopped || options.log(message),
    })
  }

  async start(): Promise<void> {
    const { stateDir, serviceUrl } = this.#options
    const identity = (await readIdentity(stateDir)) ?? (await this.#enrolUntilAccepted())
    this.#applier = await Applier.open(stateDir, {
      apply: async (state) => {
        // First, so that nobody takes a port in the moment before its engine does.
        await this.#reserved.keep(portsOf(state))
        return this.#engines.apply(state)
      },
    })
    this.#takeHostStats = await hostStats()
    this.#service = await connectService(serviceUrl, identity)
    await this.#engines.fill()
    if (this.#applier.since > 0) await this.#applier.again()
    this.#loops.push(this.#pollLoop(), this.#reportLoop(), this.#meterLoop(), this.#repairLoop())
  }

  async stop(): Promise<void> {
    if (this.#stopping.signal.aborted) return
    this.#stopping.abort()
    this.#wakeReport()
    await Promise.allSettled(this.#loops)
    await this.#engines.stop()
    await this.#reserved.release()
    await this.#meter.save()
    await this.#report(AbortSignal.timeout(lastReportMs)).catch(() => {})
  }

  get #stopped(): boolean {
    return this.#stopping.signal.aborted
  }

  /** A refused token is final; a service that cannot be reached is waited for. */
  async #enrolUntilAccepted(): Promise<Identity> {
    const { serviceUrl, stateDir, enrolmentToken, log } = this.#options
    if (!enrolmentToken)
      throw new NotEnrolled('this node is not enrolled and SALLYPORT_ENROL_TOKEN is not set')
    const delay = backoff(1000, 30_000)
    for (;;) {
      try {
        const identity = await enrol(serviceUrl, enrolmentToken, stateDir)
        log(`enrolled as node ${identity.nodeId}`)
        this.#mayEnrolAnew = false
        return identity
      } catch (error) {
        const isFinal = error instanceof ServiceError && error.statusCode < 500 && error.statusCode !== 429
        if (isFinal) {
          await removeEnrolmentToken(stateDir)
          throw new NotEnrolled(`enrolment was refused: ${error.message}`)
        }
        this.#say(describeFailure(error), requestIdOf(error))
        await sleep(delay.next())
      }
    }
  }

  async #pollLoop(): Promise<void> {
    const delay = backoff(1000, 30_000)
    while (!this.#stopped) {
      const askedAt = performance.now()
      const { since } = this.#applier
      try {
        // What a report may say is asked for at once.
        const waitSeconds = this.#reads ? pollWaitSeconds : 0
        const answer = await this.#service.pollState(since, waitSeconds, this.#stopping.signal)
        this.#say(null)
        if (!this.#reads) this.#wakeReport()
        this.#reads = answer.reads ?? []
        this.#trials.take(answer.trials, answer.own_targets)
        const isSound = await this.#applier.take(answer)
        if (answer.kind !== 'unchanged') this.#wakeReport()
        this.#applier.logApplied(answer, this.#options.log)
        await this.#restarts.follow(answer.reboot_asked_at)
        if (await this.#upgrades.follow(answer.upgrade_to)) this.#wakeReport()
        if (this.#applier.since !== since) delay.reset()
        else if (isSound && answer.trials.length > 0) await sleep(openTrialMs, this.#stopping.signal)
        else if (performance.now() - askedAt < 1000) await sleep(delay.next(), this.#stopping.signal)
      } catch (error) {
        if (this.#stopped) return
        this.#say(describeFailure(error), requestIdOf(error))
        await this.#enrolAnewWhenUnknown(error)
        await sleep(delay.next(), this.#stopping.signal)
      }
    }
  }

  /** The service was set up afresh and gave us a new token: the old identity is worth nothing to it. */
  async #enrolAnewWhenUnknown(error: unknown): Promise<void> {
    const { serviceUrl, stateDir, enrolmentToken, log } = this.#options
    const isUnknown = error instanceof ServiceError && error.statusCode === 401
    if (isUnknown) await this.#readiness.unheard()
    if (!isUnknown || !this.#mayEnrolAnew || !enrolmentToken) return
    this.#mayEnrolAnew = false
    try {
      const identity = await enrol(serviceUrl, enrolmentToken, stateDir)
      this.#service = await connectService(serviceUrl, identity)
      this.#applier.askForSnapshot()
      log(`enrolled anew as node ${identity.nodeId}`)
    } catch (failure) {
      log(`enrolling anew failed: ${messageOf(failure)}`)
    }
  }

  async #reportLoop(): Promise<void> {
    const { reportIntervalMs = 15_000 } = this.#options
    while (!this.#stopped) {
      const woken = new AbortController()
      this.#wakeReport = () => woken.abort()
      const isFull = await this.#report(this.#stopping.signal).catch((error) => {
        if (!this.#stopped) this.#say(describeFailure(error), requestIdOf(error))
        // An older instance than the one that was asked last does not read it all.
        if (error instanceof ServiceError && error.statusCode === 400) this.#reads = []
        return false
      })
      if (isFull) continue
      await sleep(Math.min(reportIntervalMs, reportPauseMs), this.#stopping.signal)
      await sleep(reportIntervalMs - reportPauseMs, woken.signal)
    }
  }

  /** Whether it held all it may; then there is more to tell. */
  async #report(signal: AbortSignal): Promise<boolean> {
    const { revision, hash } = this.#applier.applied
    const traffic = this.#meter.pending()
    const reads = this.#reads ?? []
    const report: Report = {
      agent_version: packageJson.version,
      applied_revision: revision,
      applied_hash: hash,
      apply_error: this.#applier.error,
      refused: this.#applier.refused,
      ...(reads.includes('not_carried') && { not_carried: notCarriedOf(this.#engines.troubles()) }),
      ...(reads.includes('agent_release') && (await this.#upgrades.report())),
      engines: this.#engines.health(),
      host: await this.#takeHostStats(),
      traffic,
    }
    await this.#service.report(report, signal)
    await this.#readiness.heard()
    this.#meter.acknowledge(traffic, this.#liveBootIds)
    if (traffic.length > 0) await this.#meter.save()
    return traffic.length === countersPerReport
  }

  async #meterLoop(): Promise<void> {
    const { meterIntervalMs = 5000 } = this.#options
    while (!this.#stopped) {
      await this.#readMeter()
      await sleep(meterIntervalMs, this.#stopping.signal)
    }
  }

  async #readMeter(): Promise<void> {
    try {
      const runs = await this.#engines.traffic()
      this.#liveBootIds = new Set(runs.map(({ bootId }) => bootId))
      for (const run of runs) this.#meter.record(run)
      await this.#meter.save()
    } catch (error) {
      this.#options.log(`metering: ${messageOf(error)}`)
    }
  }

  /** Looks for missing engines and tries again what an engine could not take. */
  async #repairLoop(): Promise<void> {
    let lookedAt = performance.now()
    while (!this.#stopped) {
      await sleep(applyRetryMs, this.#stopping.signal)
      if (this.#stopped) return
      await this.#reserved.again()
      const isTimeToLook = !this.#engines.isComplete && performance.now() - lookedAt >= engineLookMs
      if (isTimeToLook) lookedAt = performance.now()
      const hasAppeared = isTimeToLook && (await this.#engines.fill())
      if (!hasAppeared && this.#applier.error === null) continue
      await this.#applier.again()
      this.#wakeReport()
    }
  }

  /** Says a trouble when it begins or changes and once when it is over, not at every try. */
  #say(trouble: string | null, requestId?: string): void {
    if (trouble === this.#trouble) return
    const request = requestId === undefined ? '' : ` (request ${requestId})`
    this.#options.log(trouble === null ? 'the service can be reached again' : `${trouble}${request}`)
    this.#trouble = trouble
  }
}
