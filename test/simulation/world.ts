import type { RunningService } from '../../apps/server/main.ts'
import type { CloudMachine } from '../support/clouds/machines.ts'
import type { TestService } from '../support/service.ts'
import { Courier } from './courier.ts'
import { Journal } from './journal.ts'
import type { Providers } from './providers.ts'
import { Tally } from './tally.ts'

/** The service with its clock and everybody around it. */

export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the simulation looks into answers of every shape.
  readonly data: any
  /** 0 for a success. */
  readonly errorCode: number
  readonly message: string
  readonly isReplay: boolean
}

export interface Question {
  readonly body?: unknown
  readonly key?: string | undefined
}

/** The nodes of options, with what they have carried for each subscription. */
export interface Meters {
  readonly serverIds: readonly number[]
  carriedBy(termId: number): number
  /** One subscription has become a part of another. */
  merge(fromTermId: number, intoTermId: number): void
  carry(termId: number, bytes: number): boolean
  passDay(day: number, share: number): Promise<void>
  flush(): Promise<void>
}

/** Where machines are rented, with their agents. */
export interface Park {
  readonly made: number
  /** Those of one order, or all that are there. */
  present(orderId?: number): CloudMachine[]
  /** The agents of machines that something is being done to say that they live. */
  speak(): Promise<void>
  speakOf(orderId: number): Promise<void>
  passDay(day: number): Promise<void>
  tend(): Promise<void>
  endFaults(): void
}

const beatEverySeconds = 60

export class World {
  readonly tally = new Tally()
  readonly journal = new Journal()
  readonly courier: Courier
  readonly service: TestService
  /** All on one database. */
  readonly instances: readonly RunningService[]
  readonly providers: Providers
  /** The nodes of options, once they are enrolled. */
  meters: Meters | undefined
  /** Where machines are rented, once there are accounts. */
  machines: Park | undefined
  readonly seed: number
  /** What should not have happened; the test fails with it at the end. */
  readonly problems: string[] = []
  #calls = 0
  #offlineUntil = 0
  #beatAt = 0

  constructor(at: {
    service: TestService
    instances: readonly RunningService[]
    providers: Providers
    seed: number
  }) {
    this.service = at.service
    this.instances = at.instances
    this.providers = at.providers
    this.seed = at.seed
    this.courier = new Courier(this)
    for (const { services } of at.instances) {
      Object.assign(services.log, { error: (fields: unknown, text: string) => this.#overhear(text, fields) })
    }
  }

  now(): number {
    return this.service.clock.now()
  }

  /** Any instance will do. */
  url(): string {
    return (this.instances[this.#calls++ % this.instances.length] as RunningService).url
  }

  blame(what: string, why: unknown = ''): void {
    const about = why instanceof Object && 'err' in why ? { ...why, err: String(why.err) } : why
    this.problems.push(`${what} ${typeof about === 'string' ? about : JSON.stringify(about)}`)
  }

  /** What the service itself calls an error is a finding, unless it only says that a provider did not answer. */
  #overhear(text: string, fields: unknown): void {
    const { err } = fields as { err?: { code?: unknown } }
    if (err?.code !== 'UNAVAILABLE') this.blame(text, fields)
  }

  async ask(token: string, method: string, path: string, { body, key }: Question = {}): Promise<Reply> {
    this.tally.add('calls')
    const response = await fetch(this.url() + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as { data?: unknown; errorCode?: number; message?: string }
    if (response.status === 500) this.blame(`500 at ${method} ${path}`, answer)
    return {
      status: response.status,
      data: answer.data,
      errorCode: answer.errorCode ?? 0,
      message: JSON.stringify(answer),
      isReplay: response.headers.get('idempotency-replayed') === 'true',
    }
  }

  operator(method: string, path: string, question: Question = {}): Promise<Reply> {
    return this.ask(this.service.operatorToken, method, `/operator/v1${path}`, question)
  }

  /** Moves on to a moment that may be past already; nodes report unless they are offline. */
  async goTo(time: number): Promise<void> {
    this.service.clock.advance(Math.max(0, time - this.now()))
    if (this.now() < this.#offlineUntil || this.now() < this.#beatAt + beatEverySeconds) return
    this.#beatAt = this.now()
    await this.service.heartbeat()
  }

  get isOffline(): boolean {
    return this.now() < this.#offlineUntil
  }

  goOffline(seconds: number): void {
    this.tally.add('outages')
    this.#offlineUntil = this.now() + seconds
  }

  /** On every instance at once, or on one. */
  async runJobs(isEverywhere: boolean): Promise<void> {
    const [first] = this.instances as [RunningService]
    await this.machines?.speak()
    await Promise.all((isEverywhere ? this.instances : [first]).map((instance) => instance.runJobs()))
  }
}
