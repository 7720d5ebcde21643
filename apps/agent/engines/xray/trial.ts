import type { Confinement } from '../isolation/confinement.ts'
import { Child } from '../process/child.ts'

export interface Verdict {
  readonly isAccepted: boolean
  /** The engine's own words when it refuses. */
  readonly reason: string | null
}

const trialMs = 10_000
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
    const child = new Child(confinement.spawn(cell, binary, { args }), xrayFailure, configText)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      void child.kill()
    }, trialMs)
    const ended = await child.exited
    clearTimeout(timer)
    if (ended === 'exit code 0') return { isAccepted: true, reason: null }
    if (isLate) return { isAccepted: false, reason: `takes the engine more than ${trialMs / 1000} s to read` }
    if (!isRefusal.test(ended)) throw new Error(`a configuration could not be tried: ${ended}`)
    return { isAccepted: false, reason: refusalReason(ended) }
  } finally {
    confinement.release(cell)
  }
}

/** A signal too: a configuration that bursts the memory limit is the customer's doing. */
const isRefusal = /^(exit code \d+: |killed by )/
export const xrayFailure = /^(Failed to start|panic:|fatal error:|SIG[A-Z]+: )/
