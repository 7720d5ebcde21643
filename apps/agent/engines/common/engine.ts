import type { EngineHealth } from '@sallyport/contract/agent/agent'
import type { Served } from '../../common/reconcile.ts'
import type { Every } from '../isolation/targets.ts'
import type { Resolve } from '../net/resolve.ts'

/** Something that could not be done; with an id when it is about one access, which the engine would not take. */
export interface Trouble {
  readonly id: string | null
  readonly revision: number | null
  readonly reason: string
  /** The tag of an inbound that is not open, so that nobody who shares it is served. */
  readonly inbound?: string
  /** Refused for what the customer wrote, and so anywhere. */
  readonly isUnfit?: boolean
}

/** Counters of one run of a program, cumulative since that run began. */
export interface EngineTraffic {
  readonly bootId: string
  readonly users: readonly UserTraffic[]
}

export interface UserTraffic {
  /** Id of the access. */
  readonly id: string
  readonly up: number
  readonly down: number
}

/** One kind of program that carries customers on this machine. */
export interface Engine {
  health(): EngineHealth
  /** Serves its part of this from now on. Does all that can be done, and says what could not. */
  apply(state: Served): Promise<Trouble[]>
  /** What stands now between what was asked for and its being served, also what came up since then. */
  troubles(): readonly Trouble[]
  /** Present counters of every run that is going on. */
  traffic(): Promise<EngineTraffic[]>
  /** Ends every program of this engine. */
  stop(): Promise<void>
}

export interface EngineOptions {
  readonly binary: string
  readonly version: string
  /** Where this engine may keep files; exists, mode 0700. */
  readonly directory: string
  readonly allowPrivateTargets: boolean
  readonly log: (message: string) => void
  /** Called while the counters of a run can still be read, before that run is ended on purpose. */
  readonly beforeStop?: () => Promise<void>
  /** How names of borrowed sites are looked up, and how often again; of tests. */
  readonly resolve?: Resolve
  readonly every?: Every
}
