import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Backoff, backoff, messageOf } from '../../common/backoff.ts'
import { SiteRefusal } from '../isolation/targets.ts'
import { portProblem } from '../net/ports.ts'
import type { EngineTraffic, Trouble } from './engine.ts'

/** One run of a program that serves one access. */
export interface Run {
  readonly pid: number | undefined
  /** Whether it must not go on as it was started, though its access is the same. */
  readonly isStale: boolean
  /** Resolves with the reason, also after `stop`. */
  readonly exited: Promise<string>
  /** Bytes since the run began. */
  traffic(): Promise<{ readonly up: number; readonly down: number }>
  stop(): Promise<void>
}

/** What an access needs to have for a program of its own. */
export interface Personal {
  readonly id: string
  readonly revision: number
  readonly listen: string
  readonly port: number
}

/** Few programs start at once. What only waits for others, such as resolvers, is done before taking a turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export interface Kind<A extends Personal> {
  /** Rejects with the reason when it does not come up. */
  start(access: A, inTurn: InTurn): Promise<Run>
  /** Why the engine would not take it, or null; asked before a running one is replaced. */
  refusal(access: A, inTurn: InTurn): Promise<string | null>
  /** Whether somebody whom the one lets in is not to be let in by the other. */
  shutsOut(before: A, after: A): boolean
  readonly log: (message: string) => void
}

const steadyAfterMs = 60_000
const firstDelayMs = 500
const mostDelayMs = 60_000

const essence = <A extends Personal>({ revision, ...rest }: A): unknown => rest

export const isSame = <A extends Personal>(left: A, right: A): boolean =>
  isDeepStrictEqual(essence(left), essence(right))

/** Keeps the program of one access running, through crashes and changes. */
export class Member<A extends Personal> {
  readonly #kind: Kind<A>
  readonly #inTurn: InTurn
  readonly #delay: Backoff = backoff(firstDelayMs, mostDelayMs)
  /** What runs, or is to run; an older one than the wish while that is turned down. */
  #access: A
  #wish: A
  #run: Run | null = null
  #bootId = ''
  /** Whether what is to run has ever come up. */
  #isProven = false
  /** Why nothing runs. */
  #problem: string | null = null
  /** Why something older than the wish runs. */
  #refusal: string | null = null
  /** Said of whichever is told: the customer wrote what no place would take. */
  #isUnfit = false
  /** A wish that was turned down is not tried again before this. */
  #notBeforeMs = 0
  #isEnded = false
  #timer: NodeJS.Timeout | undefined
  #queue: Promise<unknown> = Promise.resolve()

  constructor(kind: Kind<A>, inTurn: InTurn, access: A) {
    this.#kind = kind
    this.#inTurn = inTurn
    this.#access = access
    this.#wish = access
  }

  get isRunning(): boolean {
    return this.#run !== null
  }

  /** Whether what runs has to be brought up anew. */
  get isStale(): boolean {
    return this.#run?.isStale ?? false
  }

  get pid(): number | undefined {
    return this.#run?.pid
  }

  /** What stands between the wish and its being served. */
  get trouble(): Trouble | null {
    const { id, revision } = this.#wish
    const reason = this.#refusal ?? this.#problem
    return reason === null ? null : { id, revision, reason, ...(this.#isUnfit && { isUnfit: true }) }
  }

  get access(): A {
    return this.#access
  }

  get wished(): A {
    return this.#wish
  }

  /** Notes a newer revision. True when it asks for something that has to be done, and may be tried now. */
  wish(access: A): boolean {
    const isAskedAgain = isSame(access, this.#wish)
    this.#wish = access
    if (isSame(access, this.#access)) {
      if (this.#refusal !== null) this.#isUnfit = false
      this.#refusal = null
      return false
    }
    return !isAskedAgain || Date.now() >= this.#notBeforeMs
  }

  /** Whether the wish can come up, as far as can be told beforehand; what runs goes on if not. */
  async isAcceptable(isPortOurs: (port: number) => boolean): Promise<boolean> {
    const { listen, port } = this.#wish
    try {
      const refusal = await this.#kind.refusal(this.#wish, this.#inTurn)
      if (refusal !== null) return this.#turnDown(refusal, true, Number.POSITIVE_INFINITY)
      const problem = isPortOurs(port) ? null : await portProblem(listen, port, ['tcp'])
      return problem === null || this.#turnDown(problem)
    } catch (error) {
      return this.#turnDown(error)
    }
  }

  start(): Promise<void> {
    return this.#exclusively(() => this.#startOrRetry())
  }

  /** Whether the wish must take the place of what runs even if it cannot come up: somebody may not go on using that. */
  get shutsOut(): boolean {
    return this.#kind.shutsOut(this.#access, this.#wish)
  }

  /** Ends what runs and serves the wish; or again what ran before, when the wish does not come up and it may. */
  replace(): Promise<void> {
    return this.#exclusively(async () => {
      await this.#halt()
      if (!this.#isProven || this.shutsOut) this.#become(this.#wish)
      if (!isSame(this.#access, this.#wish)) {
        await this.#launch(this.#wish).catch((error) => this.#turnDown(error))
      }
      await this.#startOrRetry()
    })
  }

  /** From now on nothing older is to run. */
  #become(access: A): void {
    this.#access = access
    this.#isProven = false
    this.#refusal = null
  }

  /** Ends the program but not the membership. */
  halt(): Promise<void> {
    return this.#exclusively(() => this.#halt())
  }

  end(): Promise<void> {
    this.#isEnded = true
    return this.halt()
  }

  /** Present counters, or null when there are none to be had. */
  async traffic(): Promise<EngineTraffic | null> {
    const [run, bootId, { id }] = [this.#run, this.#bootId, this.#access]
    if (!run) return null
    try {
      return { bootId, users: [{ id, ...(await run.traffic()) }] }
    } catch {
      return null
    }
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => {})
    return result
  }

  #turnDown(
    refusal: unknown,
    isUnfit = refusal instanceof SiteRefusal,
    notBeforeMs = Date.now() + this.#delay.next(),
  ): false {
    this.#refusal = messageOf(refusal)
    this.#isUnfit = isUnfit
    this.#notBeforeMs = notBeforeMs
    return false
  }

  async #halt(): Promise<void> {
    clearTimeout(this.#timer)
    const run = this.#run
    this.#run = null
    await run?.stop()
  }

  async #startOrRetry(): Promise<void> {
    if (this.#run !== null || this.#isEnded) return
    try {
      await this.#launch(this.#access)
    } catch (error) {
      this.#problem = messageOf(error)
      if (this.#refusal === null) this.#isUnfit = error instanceof SiteRefusal
      this.#retryLater()
    }
  }

  async #launch(access: A): Promise<void> {
    clearTimeout(this.#timer)
    const run = await this.#kind.start(access, this.#inTurn)
    const startedAtMs = Date.now()
    this.#run = run
    this.#access = access
    this.#isProven = true
    this.#bootId = randomUUID()
    this.#problem = null
    if (isSame(access, this.#wish)) {
      this.#refusal = null
      this.#isUnfit = false
    }
    run.exited.then((reason) => {
      if (this.#run !== run) return
      this.#run = null
      if (Date.now() - startedAtMs > steadyAfterMs) this.#delay.reset()
      this.#problem = `ended (${reason})`
      this.#retryLater()
    })
  }

  #retryLater(): void {
    if (this.#isEnded) return
    const delayMs = this.#delay.next()
    this.#kind.log(`${this.#access.id} does not run: ${this.#problem}; starting it again in ${delayMs} ms`)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.start(), delayMs)
  }
}
