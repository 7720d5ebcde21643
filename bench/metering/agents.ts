import { Agent as Connections, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DesiredState } from '@sallyport/contract/agent/agent'
import type { Report } from '@sallyport/contract/agent/report'
import { emptyReport, signNodeToken } from '../../test/support/node.ts'
import { carriedBefore, type MeteredNode, type NearTerm } from './seed.ts'

/**
 * Agents as the service meets them: each reports what has grown every 15 s, in parts if it is much and once more after
 * every change, and waits for changes all the time.
 */

const intervalMs = 15_000
const countersPerReport = 5000
const pollWaitSeconds = 30
const tokenMs = 60_000
const growth = 100_000
/** More than the limits of those that are near one. */
const crossing = 1e9

export interface Drive {
  readonly port: number
  /** The share of its accesses that move in an interval. */
  readonly active: number
  readonly isOver: () => boolean
  readonly stop: AbortSignal
  /** While the network between agents and the service is cut. */
  readonly isCut?: () => boolean
  /** While nobody moves. */
  readonly isCalm?: () => boolean
  readonly onReport: (status: number, milliseconds: number, counters: number) => void
  /** The report that takes somebody over the limit is on its way. */
  readonly onCrossing: (accessId: number) => void
  /** The node was told that it does not carry this any more. */
  readonly onRemoved: (accessId: number) => void
}

interface Told {
  readonly data: unknown
}

interface Crossing {
  readonly accessId: number
  readonly atMs: number
}

const connections = new Connections({ keepAlive: true })

const call = (
  drive: Drive,
  token: string,
  path: string,
  body?: string,
): Promise<{ status: number; data: unknown }> =>
  new Promise((resolve, reject) => {
    if (drive.isCut?.()) {
      reject(new Error('cut off'))
      return
    }
    const sent = request({
      port: drive.port,
      host: '127.0.0.1',
      agent: connections,
      path: `/agent/v1${path}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      signal: drive.stop,
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status = 0 } = response
        // A balancer that has nobody to ask answers in its own words.
        const { data } =
          status === 200 ? (JSON.parse(Buffer.concat(chunks).toString()) as Told) : { data: null }
        resolve({ status, data })
      })
    })
    sent.end(body)
  })

export class SimulatedAgent {
  readonly #node: MeteredNode
  readonly #near: ReadonlySet<number>
  readonly #carried = new Map<number, number>()
  /** What has grown and was not acknowledged. */
  readonly #pending = new Set<number>()
  #revision: number
  #token = { text: '', untilMs: 0 }
  #wake: () => void = () => undefined

  constructor(node: MeteredNode, near: readonly NearTerm[]) {
    this.#node = node
    this.#revision = node.revision
    this.#near = new Set(near.filter((one) => one.nodeId === node.nodeId).map((one) => one.accessId))
  }

  /** Bytes in each direction of every access that has moved. */
  get carried(): ReadonlyMap<number, number> {
    return this.#carried
  }

  get isHeard(): boolean {
    return this.#pending.size === 0
  }

  run(drive: Drive, crossings: readonly Crossing[]): Promise<unknown> {
    return Promise.all([this.#reportLoop(drive, [...crossings]), this.#pollLoop(drive)])
  }

  async #bearer(): Promise<string> {
    if (performance.now() > this.#token.untilMs) {
      const text = await signNodeToken(this.#node.nodeId, this.#node.key)
      this.#token = { text, untilMs: performance.now() + tokenMs }
    }
    return this.#token.text
  }

  #grow(accessId: number, by: number): void {
    this.#carried.set(accessId, (this.#carried.get(accessId) ?? carriedBefore) + by)
    this.#pending.add(accessId)
  }

  /** Those near their limit move when it is their turn and not before. */
  #move(active: number): void {
    for (const id of this.#node.accessIds) {
      if (Math.random() < active && !this.#near.has(id)) this.#grow(id, growth)
    }
  }

  async #reportLoop(drive: Drive, crossings: Crossing[]): Promise<void> {
    await sleep(Math.random() * intervalMs)
    let movesAtMs = performance.now()
    while (!drive.isOver()) {
      if (performance.now() >= movesAtMs) {
        if (!drive.isCalm?.()) this.#move(drive.active)
        movesAtMs += intervalMs * (0.9 + Math.random() * 0.2)
      }
      const due = crossings.filter(({ atMs }) => atMs <= performance.now())
      for (const one of due) crossings.splice(crossings.indexOf(one), 1)
      for (const { accessId } of due) this.#grow(accessId, crossing)
      await this.#report(drive, new Set(due.map(({ accessId }) => accessId)))
      while (this.#pending.size > 0 && !drive.isOver()) await this.#report(drive, new Set())
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const restMs = Math.max(0, movesAtMs - performance.now())
      await Promise.race([sleep(restMs, undefined, { signal: drive.stop }).catch(() => undefined), woken])
    }
  }

  /** Whoever crosses goes into the report first. */
  async #report(drive: Drive, crossers: ReadonlySet<number>): Promise<void> {
    const rest = [...this.#pending].filter((id) => !crossers.has(id))
    const ids = [...crossers, ...rest].slice(0, countersPerReport)
    const traffic = ids.map((id) => {
      const bytes = this.#carried.get(id) as number
      return { boot_id: 'boot', id: `a${id}`, up: bytes, down: bytes }
    })
    const report: Report = { ...emptyReport, applied_revision: this.#revision, traffic }
    const body = JSON.stringify(report)
    const token = await this.#bearer()
    for (const id of crossers) drive.onCrossing(id)
    const sentMs = performance.now()
    const status = await call(drive, token, '/report', body).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 0 && drive.stop.aborted) return
    drive.onReport(status, performance.now() - sentMs, ids.length)
    if (status === 200) for (const id of ids) this.#pending.delete(id)
    else await sleep(1000)
  }

  async #pollLoop(drive: Drive): Promise<void> {
    while (!drive.stop.aborted) {
      const path = `/state?since=${this.#revision}&wait_seconds=${pollWaitSeconds}`
      const answer = await call(drive, await this.#bearer(), path).catch(() => undefined)
      if (answer?.status !== 200) {
        await sleep(1000)
        continue
      }
      const state = answer.data as DesiredState
      for (const item of state.removed) drive.onRemoved(Number(item.slice(1)))
      if (state.revision !== this.#revision) this.#wake()
      this.#revision = state.revision
    }
  }
}
