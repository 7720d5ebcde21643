import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Fault, Faults, type Operation, type Shelf } from './faults.ts'
import { type Boot, type CloudMachine, Machines, type Plan } from './machines.ts'

/** A local program that speaks a cloud's published API, and fails when the test says so. */

export interface CloudStandInOptions {
  readonly token: string
  readonly boot?: Boot
  /** Requests an hour, as the headers tell it. */
  readonly requestsAnHour?: number
  /** The time there, in milliseconds, where it is not that of the wall. */
  readonly nowMs?: () => number
}

export interface CloudCall {
  readonly method: string
  /** Below the address of the API. */
  readonly path: string
  readonly query: URLSearchParams
  readonly operation: Operation | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface CloudReply {
  readonly status: number
  /** Nothing, and not null, where there is no body. */
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What can be asked for at `/__control` of a stand-in that lives in another process. */
export interface Control {
  readonly once?: readonly [Operation | '*', Fault, number?]
  readonly always?: readonly [Operation | '*', Fault]
  readonly outOfStock?: Shelf
  readonly clear?: true
  readonly vanish?: number
  readonly deliverLate?: true
}

export type RefusalName = 'quota' | 'stock' | 'unauthorized' | 'forbidden' | 'busy' | 'rate' | 'broken'

/** More than any list of machines. */
const hugeBytes = 9 * 1024 * 1024
const usualPlan: Plan = { looks: 1, failure: null }

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

const planOf = (fault: Fault | undefined): Plan => {
  if (fault?.kind === 'action-error') return { looks: 1, failure: fault }
  if (fault?.kind !== 'slow') return usualPlan
  return { ...usualPlan, looks: fault.looks === 'never' ? Number.POSITIVE_INFINITY : fault.looks }
}

export abstract class CloudStandIn {
  readonly calls: CloudCall[] = []
  readonly faults = new Faults()
  /** Of the API, with its version. */
  url = ''
  protected readonly park: Machines
  readonly #token: string
  readonly #requestsAnHour: number
  readonly #base: string
  readonly #server: Server
  #late: (() => void)[] = []
  readonly #timers = new Set<NodeJS.Timeout>()

  protected constructor(base: string, firstId: number, options: CloudStandInOptions) {
    this.#base = base
    this.#token = options.token
    this.#requestsAnHour = options.requestsAnHour ?? 3600
    this.park = new Machines(firstId, options.boot, options.nowMs ?? Date.now)
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  /** Undefined of what this cloud does not have. */
  protected abstract operationOf(method: string, path: string, body: string): Operation | undefined

  /** The cloud's own behaviour. */
  protected abstract answer(call: CloudCall, plan: Plan): CloudReply

  /** An error in the cloud's own words; the status where it is not the usual one. */
  protected abstract refuse(name: RefusalName, status?: number): CloudReply

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#base}`
    return this
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
    await this.park.settled()
  }

  /** All that there ever were, with those that are gone. */
  machines(): CloudMachine[] {
    return this.park.everyOne()
  }

  /** A machine is gone, and nobody asked for it. */
  vanish(id: number): void {
    this.park.vanish(id)
  }

  /** Whatever was to be done late is done now. */
  deliverLate(): void {
    const late = this.#late
    this.#late = []
    for (const work of late) work()
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://cloud')
    const body = await read(incoming).catch(() => undefined)
    // Whoever asked was gone before all of it was here.
    if (body === undefined) return
    if (pathname === '/__control') return this.#control(JSON.parse(body) as Control, response)
    const method = incoming.method ?? ''
    const path = pathname.startsWith(`${this.#base}/`) ? pathname.slice(this.#base.length) : ''
    const operation = this.operationOf(method, path, body)
    const call = { method, path, query: searchParams, operation, headers: incoming.headers, body }
    this.calls.push(call)
    if (incoming.headers.authorization !== `Bearer ${this.#token}`) {
      return this.#send(response, this.refuse('unauthorized'))
    }
    const fault = operation && this.faults.take(operation)
    this.#meet(fault, call, response)
  }

  #meet(fault: Fault | undefined, call: CloudCall, response: ServerResponse): void {
    if (!fault || fault.kind === 'slow' || fault.kind === 'action-error') {
      this.#send(response, this.answer(call, planOf(fault)))
    } else if (fault.kind === 'late') {
      this.#later(fault.seconds, () => this.answer(call, usualPlan))
    } else {
      if ('after' in fault && fault.after) this.answer(call, usualPlan)
      this.#fail(fault, response)
    }
  }

  #fail(fault: Exclude<Fault, { kind: 'slow' | 'action-error' | 'late' }>, response: ServerResponse): void {
    switch (fault.kind) {
      case 'status':
        this.#send(response, this.refuse('broken', fault.status))
        break
      case 'rate':
        this.#send(response, this.#tooMany(fault))
        break
      case 'silence':
        break
      case 'reset':
        response.socket?.resetAndDestroy()
        break
      case 'html':
        this.#sendBroken(response, fault.kind, fault.status)
        break
      case 'not-json':
      case 'truncated':
      case 'huge':
      case 'redirect':
        this.#sendBroken(response, fault.kind)
        break
      default:
        this.#send(response, this.refuse(fault.kind))
    }
  }

  #tooMany(fault: Extract<Fault, { kind: 'rate' }>): CloudReply {
    const headers: Record<string, string> = { 'ratelimit-remaining': '0' }
    if (fault.retryAfterSeconds !== undefined) headers['retry-after'] = String(fault.retryAfterSeconds)
    if (fault.resetInSeconds !== undefined) {
      headers['ratelimit-reset'] = String(Math.floor(Date.now() / 1000) + fault.resetInSeconds)
    }
    return { ...this.refuse('rate'), headers }
  }

  #later(seconds: number, work: () => void): void {
    this.#late.push(work)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (!this.#late.includes(work)) return
      this.#late = this.#late.filter((one) => one !== work)
      work()
    }, seconds * 1000)
    this.#timers.add(timer)
  }

  #send(response: ServerResponse, { status, json, headers }: CloudReply): void {
    const remaining = Math.max(0, this.#requestsAnHour - this.calls.length)
    response.writeHead(status, {
      ...(json !== undefined && { 'content-type': 'application/json' }),
      'ratelimit-limit': String(this.#requestsAnHour),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': String(Math.ceil(Date.now() / 1000) + this.#requestsAnHour - remaining),
      ...headers,
    })
    response.end(json === undefined ? undefined : JSON.stringify(json))
  }

  #sendBroken(response: ServerResponse, how: string, status = 200): void {
    if (how === 'html') {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<html><h1>Bad gateway</h1></html>')
    } else if (how === 'not-json') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"servers":[{"id":1,')
    } else if (how === 'truncated') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' })
      response.write('{"servers":[', () => response.destroy())
    } else if (how === 'redirect') {
      response.writeHead(302, { location: `${this.url}/servers` }).end()
    } else {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ padding: 'x'.repeat(hugeBytes) }))
    }
  }

  #control(control: Control, response: ServerResponse): void {
    if (control.clear) this.faults.clear()
    if (control.once) this.faults.once(...control.once)
    if (control.always) this.faults.always(...control.always)
    if (control.outOfStock) this.faults.outOfStock(control.outOfStock)
    if (control.vanish !== undefined) this.vanish(control.vanish)
    if (control.deliverLate) this.deliverLate()
    const calls = this.calls.map(({ method, path, operation, body }) => ({ method, path, operation, body }))
    this.#send(response, { status: 200, json: { machines: this.machines(), calls } })
  }
}
