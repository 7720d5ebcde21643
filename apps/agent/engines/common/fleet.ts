import type { EngineHealth } from '@sallyport/contract/agent/agent'
import { messageOf } from '../../common/backoff.ts'
import { limited } from '../process/child.ts'
import type { EngineTraffic, Trouble } from './engine.ts'
import { type InTurn, type Kind, Member, type Personal } from './fleet-member.ts'

const startsAtOnce = 4
const readsAtOnce = 8

export interface FleetOptions<A extends Personal> extends Kind<A> {
  /** Called while the counters can still be read, before runs are ended on purpose. */
  readonly beforeStop?: (() => Promise<void>) | undefined
}

/** One program for each access, none of which feels what happens to the others. */
export class Fleet<A extends Personal> {
  readonly #kind: Kind<A>
  readonly #beforeStop: () => Promise<void>
  readonly #starting: InTurn = limited(startsAtOnce)
  readonly #members = new Map<string, Member<A>>()
  #queue: Promise<unknown> = Promise.resolve()

  constructor({ beforeStop, ...kind }: FleetOptions<A>) {
    this.#beforeStop = beforeStop ?? (async () => {})
    this.#kind = kind
  }

  /** How many are to be served. */
  get size(): number {
    return this.#members.size
  }

  get troubles(): Trouble[] {
    return [...this.#members.values()].flatMap(({ trouble }) => trouble ?? [])
  }

  get state(): EngineHealth['state'] {
    const members = [...this.#members.values()]
    if (members.length === 0) return 'idle'
    if (members.some(({ isRunning }) => isRunning)) return 'running'
    return members.every(({ trouble }) => trouble !== null) ? 'crashed' : 'starting'
  }

  /** What runs and what is to run. */
  get accesses(): A[] {
    return [...this.#members.values()].flatMap(({ access, wished }) => [access, wished])
  }

  pidOf(id: string): number | undefined {
    return this.#members.get(id)?.pid
  }

  apply(accesses: readonly A[]): Promise<Trouble[]> {
    return this.#exclusively(async () => {
      const wanted = new Set(accesses.map(({ id }) => id))
      const gone = [...this.#members.values()].filter(({ access }) => !wanted.has(access.id))
      const fresh = accesses.filter(({ id }) => !this.#members.has(id))
      const accepted = await this.#acceptedChanges(accesses)
      const isLeft = (member: Member<A>) => !gone.includes(member) && !accepted.includes(member)
      const changed = [...accepted, ...this.#stale().filter(isLeft)]
      await this.#announceStop([...gone, ...changed])
      for (const { access } of gone) this.#members.delete(access.id)
      // A port may pass from one access to another, so whoever leaves a port leaves before anybody comes.
      const movers = changed.filter((member) => leavesItsPort(member, accesses))
      await Promise.all([...gone.map((member) => member.end()), ...movers.map((member) => member.halt())])
      await Promise.all([
        ...changed.map((member) => member.replace()),
        ...fresh.map((access) => this.#join(access).start()),
      ])
      return this.troubles
    })
  }

  /** Brings up anew what must not go on as it was started. */
  renew(): Promise<void> {
    return this.#exclusively(async () => {
      const stale = this.#stale()
      await this.#announceStop(stale)
      await Promise.all(stale.map((member) => member.replace()))
    })
  }

  /** Counters of every program that runs; of one that does not answer, nothing. */
  async traffic(): Promise<EngineTraffic[]> {
    const reading = limited(readsAtOnce)
    const members = [...this.#members.values()]
    const counted = await Promise.all(members.map((member) => reading(() => member.traffic())))
    return counted.flatMap((traffic) => traffic ?? [])
  }

  stop(): Promise<void> {
    return this.apply([]).then(() => {})
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => {})
    return result
  }

  #stale(): Member<A>[] {
    return [...this.#members.values()].filter(({ isStale }) => isStale)
  }

  #join(access: A): Member<A> {
    const member = new Member(this.#kind, this.#starting, access)
    this.#members.set(access.id, member)
    return member
  }

  async #acceptedChanges(accesses: readonly A[]): Promise<Member<A>[]> {
    const wishing = accesses.flatMap((access) => {
      const member = this.#members.get(access.id)
      return member?.wish(access) ? [member] : []
    })
    const ports = new Set([...this.#members.values()].map(({ access }) => access.port))
    const isPortOurs = (port: number) => ports.has(port)
    const isAccepted = await Promise.all(
      wishing.map((member) => member.shutsOut || member.isAcceptable(isPortOurs)),
    )
    return wishing.filter((_, index) => isAccepted[index])
  }

  /** Losing the last seconds of the counters is better than serving somebody who was removed. */
  async #announceStop(members: readonly Member<A>[]): Promise<void> {
    if (!members.some(({ isRunning }) => isRunning)) return
    await this.#beforeStop().catch((error) => this.#kind.log(`counters were not read: ${messageOf(error)}`))
  }
}

const leavesItsPort = <A extends Personal>({ access }: Member<A>, wanted: readonly A[]): boolean => {
  const next = wanted.find(({ id }) => id === access.id)
  return next?.port !== access.port || next.listen !== access.listen
}
