import type { Confinement } from '../isolation/confinement.ts'
import { Child } from '../process/child.ts'

export interface Verdict {
  readonly isAccepted: boolean
  /** The engine's own words when it refuses. */
  readonly reason: string | null
  /** It did not come to an end though it had not computed for long: this machine has too much to do. */
  readonly isLate?: true
}

/** Where others have much to do; what it may take of the machine is said by the next. */
const trialMs = 20_000
/** A rule costs Xray some 4 ms, so that it is a thousand of them; one thread, so that two cores are never both taken. */
const cpuSeconds = 5
const oneThread = { GOMAXPROCS: '1' }
const longestReason = 300
let trials = 0

/** Xray's chain of causes without what it says about every configuration, and without this machine's paths. */
export const refusalReason = (ended: string): string =>
  ended
    .replace(/^exit code \d+: /, '')
    // Short of memory, the collector of Go sometimes reaches for what it could not allocate.
    .replace(/^SIGSEGV: .*/, 'the engine crashed while reading it, most likely for want of memory')
    .replace(/^Failed to start: /, '')
    .replace(/^main: failed to load config files: \[stdin:\] > /, '')
    .replace(/(^|[\s"'(=[])\/(?:[\w.@-]+\/)+[\w.@-]*/g, '$1(file)')
    .slice(0, longestReason)

/** Has Xray itself read a configuration, confined: reading it already opens whatever files it names. */
export const tryConfiguration = async (
  binary: string,
  confinement: Confinement,
  configText: string,
): Promise<Verdict> => {
  trials += 1
  const cell = await confinement.admit(`trial ${trials}`)
  try {
    const args = ['run', '-test', '-c', 'stdin:']
    const child = new Child(
      confinement.spawn(cell, binary, { args, env: oneThread, cpuSeconds }),
      xrayFailure,
      configText,
    )
    let isLate: true | undefined
    const timer = setTimeout(() => {
      isLate = true
      void child.kill()
    }, trialMs)
    const ended = await child.exited
    clearTimeout(timer)
    if (ended === 'exit code 0') return { isAccepted: true, reason: null }
    if (isLate) {
      return { isAccepted: false, reason: `takes the engine more than ${trialMs / 1000} s to read`, isLate }
    }
    if (ended === usedUp)
      return { isAccepted: false, reason: `takes the engine more than ${cpuSeconds} s of work to read` }
    if (!isRefusal.test(ended)) throw new Error(`a configuration could not be tried: ${ended}`)
    return { isAccepted: false, reason: refusalReason(ended) }
  } finally {
    confinement.release(cell)
  }
}

/** Nobody else sends it: what is late has been told apart, and want of memory is told by the engine itself. */
const usedUp = 'killed by SIGKILL'
/** A signal too: a configuration that bursts the memory limit is the customer's doing. */
const isRefusal = /^(exit code \d+: |killed by )/
export const xrayFailure = /^(Failed to start|panic:|fatal error:|SIG[A-Z]+: )/
