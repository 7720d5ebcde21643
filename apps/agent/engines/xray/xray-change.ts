import { randomBytes, randomUUID } from 'node:crypto'
import {
  isShared,
  nameOfAccess,
  networksOf,
  type ProxyAccess,
  type SharedAccess,
  tagOfAccess,
  userOf,
  type XrayAccess,
  type XrayInbound,
  type XrayServed,
} from '@sallyport/domain/vpn/engine/xray-accounts'
import { xrayInbound, xrayProxy } from '@sallyport/domain/vpn/engine/xray-server'
import { messageOf, sleep } from '../../common/backoff.ts'
import { type Changes, diff } from '../../common/reconcile.ts'
import type { Trouble } from '../common/engine.ts'
import type { ConnectionCutter } from '../isolation/connection-cutter.ts'
import { portProblem } from '../net/ports.ts'
import { addExit, type GoneUsers, removeExit } from './xray-exits.ts'
import type { XrayProcess } from './xray-process.ts'

export interface ChangeTools {
  readonly cutter: ConnectionCutter
  readonly gone: GoneUsers
  readonly mark: string
}

export interface ChangeOutcome {
  /** What Xray serves now. */
  readonly served: XrayServed
  readonly troubles: Trouble[]
}

/** A connection shows in Xray's log at most this long after its user was looked up (sniffing waits 200 ms). */
const logDelayMs = 300
const callsAtOnce = 32

/** Walks a running Xray from one state to another without a restart, as far as it can. */
export const changeXray = async (
  running: XrayProcess,
  from: XrayServed,
  to: XrayServed,
  tools: ChangeTools,
): Promise<ChangeOutcome> => {
  const changes = diff(from, to)
  const change = new Change(running, from, tools)
  await change.takeAway(changes)
  await cutConnections(tools.cutter, changes, to)
  tools.cutter.serve(to)
  await change.add(changes, to)
  return change.outcome
}

class Change {
  readonly #running: XrayProcess
  readonly #tools: ChangeTools
  readonly #inbounds: Map<string, XrayInbound>
  readonly #accesses: Map<string, XrayAccess>
  readonly #troubles: Trouble[] = []

  constructor(running: XrayProcess, from: XrayServed, tools: ChangeTools) {
    this.#running = running
    this.#tools = tools
    this.#inbounds = new Map(from.inbounds.map((inbound) => [inbound.tag, inbound]))
    this.#accesses = new Map(from.accesses.map((access) => [access.id, access]))
  }

  get outcome(): ChangeOutcome {
    const served = { inbounds: [...this.#inbounds.values()], accesses: [...this.#accesses.values()] }
    return { served, troubles: this.#troubles }
  }

  async takeAway(changes: Changes): Promise<void> {
    const { mark, gone } = this.#tools
    await this.#each(changes.usersToRemove, async (access) => {
      await removeUser(this.#running, access)
      this.#accesses.delete(access.id)
    })
    await this.#attempt('routing', () => gone.add(sessionUsers(changes.usersToRemove)))
    for (const inbound of changes.inboundsToRemove) {
      await this.#attempt(`inbound ${inbound.tag}`, () => this.#close(inbound.tag))
    }
    for (const proxy of changes.proxiesToRemove) {
      await this.#each([proxy], ({ id }) => this.#close(tagOfAccess(proxy)).then(() => this.#forget(id)))
    }
    // A user who could not be removed must not begin to leave from here.
    const freed = changes.exitsToRemove.filter(({ id }) => !this.#accesses.has(id))
    await this.#each(freed, ({ id }) => removeExit(this.#running, id, mark))
  }

  async add(changes: Changes, to: XrayServed): Promise<void> {
    const { mark, gone } = this.#tools
    const stranded = new Set<string>()
    for (const access of changes.exitsToAdd) {
      stranded.add(access.id)
      await this.#each([access], async () => {
        await addExit(this.#running, access, mark)
        stranded.delete(access.id)
      })
    }
    // Without the bridge this customer's traffic would leave from here, so there is no access either.
    const ready = to.accesses.filter(({ id }) => !stranded.has(id))
    for (const inbound of changes.inboundsToAdd) {
      await this.#attempt(`inbound ${inbound.tag}`, () => this.#open(inbound, ready), {
        inbound: inbound.tag,
      })
    }
    for (const proxy of changes.proxiesToAdd) await this.#each([proxy], () => this.#openProxy(proxy))
    const users = changes.usersToAdd.filter(({ id }) => !stranded.has(id))
    await this.#attempt('routing', () => gone.remove(sessionUsers(ready.filter(isShared))))
    await this.#each(users, async (access) => {
      // Still there when it could not be removed: with the new credentials the old ones would go on working.
      const before = this.#accesses.get(access.id)
      if (before && isShared(before)) await removeUser(this.#running, before)
      await addUser(this.#running, access)
      this.#accesses.set(access.id, access)
    })
  }

  /** Does the work for every access, some at once, and notes the failures instead of stopping at one. */
  async #each<T extends XrayAccess>(
    entries: readonly T[],
    work: (access: T) => Promise<void>,
  ): Promise<void> {
    const attempt = (entry: T) => {
      const { id, revision } = entry
      return this.#attempt(`access ${id}`, () => work(entry), { id, revision })
    }
    for (let index = 0; index < entries.length; index += callsAtOnce) {
      await Promise.all(entries.slice(index, index + callsAtOnce).map(attempt))
    }
  }

  async #attempt(name: string, work: () => Promise<void>, of: Partial<Trouble> = {}): Promise<void> {
    await work().catch((error) => {
      this.#troubles.push({ id: null, revision: null, ...of, reason: `${name}: ${messageOf(error)}` })
    })
  }

  #forget(id: string): void {
    this.#accesses.delete(id)
  }

  async #close(tag: string): Promise<void> {
    await this.#running.api.removeInbound(tag)
    this.#inbounds.delete(tag)
    for (const access of this.#accesses.values()) {
      if (isShared(access) && access.inbound === tag) this.#forget(access.id)
    }
  }

  async #open(inbound: XrayInbound, accesses: readonly XrayAccess[]): Promise<void> {
    await demandPort(inbound)
    await this.#addInbound(inbound.tag, xrayInbound(inbound, accesses))
    this.#inbounds.set(inbound.tag, inbound)
    for (const access of accesses) {
      if (isShared(access) && access.inbound === inbound.tag) this.#accesses.set(access.id, access)
    }
  }

  async #openProxy(proxy: ProxyAccess): Promise<void> {
    await demandPort(proxy)
    await this.#addInbound(tagOfAccess(proxy), xrayProxy(proxy))
    this.#accesses.set(proxy.id, proxy)
  }

  /** A call that ran out of time may have come through, and would hold the port against the next try. */
  async #addInbound(tag: string, inbound: object): Promise<void> {
    try {
      await this.#running.add({ inbounds: [inbound] })
    } catch (error) {
      await this.#running.api.removeInbound(tag).catch(() => {})
      throw error
    }
  }
}

/** Those whom the inbound looks up once a session, not once a connection. */
const sessionUsers = (accesses: readonly SharedAccess[]): string[] =>
  accesses.filter(({ account }) => account.protocol === 'hysteria2').map(userOf)

const demandPort = async ({ listen, port, protocol }: XrayInbound | ProxyAccess): Promise<void> => {
  const problem = await portProblem(listen, port, networksOf(protocol))
  if (problem !== null) throw new Error(problem)
}

/**
 * Xray's Shadowsocks 2022 knows users by their place in a list, looks the place up while a handshake is still
 * under way, and fills a gap with the last of the list: a handshake that lasts through a removal would end as
 * another customer's connection, or beyond the list and with it the whole of Xray. So nobody's place may
 * change: a stand-in is put last, and moves into the gap.
 */
const fillPlace = async ({ api }: XrayProcess, { inbound, account }: SharedAccess): Promise<void> => {
  if (account.protocol !== 'shadowsocks-2022') return
  const key = randomBytes(32).toString('base64')
  await api.addUser({ id: `gone-${randomUUID()}`, inbound, account: { ...account, key } })
}

/** Outline's list may hold a name twice, when an earlier call came through although it seemed to fail. */
const mostCopies = 10

const removeUser = async (running: XrayProcess, access: SharedAccess): Promise<void> => {
  const times = access.account.protocol === 'outline' ? mostCopies : 1
  try {
    await fillPlace(running, access)
    for (let time = 0; time < times; time += 1) await running.api.removeUser(access)
  } catch (error) {
    if (!/not found/i.test(messageOf(error))) throw error
  }
}

const addUser = async (running: XrayProcess, access: SharedAccess): Promise<void> => {
  try {
    await running.api.addUser(access)
  } catch (error) {
    if (!/already exists/i.test(messageOf(error))) throw error
    await removeUser(running, access)
    await running.api.addUser(access)
  }
}

const namesOf = (accesses: readonly XrayAccess[]): Set<string> => new Set(accesses.map(nameOfAccess))

const cutConnections = async (cutter: ConnectionCutter, changes: Changes, to: XrayServed): Promise<void> => {
  const [gone, rerouted] = [namesOf(changes.accessesToCut), namesOf(changes.accessesToReroute)]
  if (gone.size + rerouted.size === 0) return
  await cutter.cut(gone)
  await cutter.cutTcp(rerouted)
  // Most whose credentials changed keep the name, so late lines of the old ones are waited for here;
  // late lines of names that are gone for good are recognised whenever they come.
  const served = namesOf(to.accesses)
  if (served.isDisjointFrom(gone.union(rerouted))) return
  await sleep(logDelayMs)
  await cutter.cut(gone)
  await cutter.cutTcp(rerouted)
}
