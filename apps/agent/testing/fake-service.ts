import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Access, DesiredState, Inbound, Trial } from '@sallyport/contract/agent/agent'
import type { Report } from '@sallyport/contract/agent/report'
import { stateHash } from '@sallyport/domain/vpn/engine/state-hash'
import { importJWK, jwtVerify } from 'jose'

const nodeId = 42

/** A stand-in for the service that speaks the agent's side of the contract and keeps what it hears. */
export class FakeService {
  readonly reports: Report[] = []
  readonly enrolmentToken = 'enrol-once'
  /** What the agent asked for, in order. */
  readonly asked: number[] = []
  inbounds: Inbound[] = []
  /** Waiting for a verdict; the poll answers at once while there are any. */
  trials: Trial[] = []
  readonly verdicts: { id: number; is_accepted: boolean; reason: string | null }[] = []
  /** How many answers to trials are refused before one is taken. */
  refuseVerdicts = 0
  refuseReports = false
  /** Of these, how many more are answered 429 with a second to wait. */
  busyFor = { state: 0, report: 0, trials: 0 }
  /** When each was asked, by performance.now. */
  readonly askedAtMs: { readonly what: string; readonly at: number }[] = []
  /** Told with every state, when it is set. */
  causedBy: string[] | null = null
  /** That the agent gave to its calls. */
  readonly requestIds: (string | undefined)[] = []
  /** Sent once instead of the true answer. */
  wrongAnswer: DesiredState | null = null
  readonly #accesses = new Map<string, Access>()
  readonly #removedAt = new Map<string, number>()
  readonly #server = createServer((request, response) => void this.#handle(request, response))
  #revision = 0
  readonly #port: number
  #publicKey: string | null = null
  #wake = () => {}

  /** Keeps its port while it is away, so it must be one that nobody takes meanwhile. */
  constructor(port: number) {
    this.#port = port
  }

  async start(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  get revision(): number {
    return this.#revision
  }

  get hash(): string {
    return stateHash(this.#accesses.values())
  }

  put(...accesses: Access[]): void {
    this.#revision += 1
    for (const access of accesses) this.#accesses.set(access.id, { ...access, revision: this.#revision })
    this.#wake()
  }

  remove(id: string): void {
    this.#revision += 1
    this.#accesses.delete(id)
    this.#removedAt.set(id, this.#revision)
    this.#wake()
  }

  /** Asks for a verdict. */
  ask(trial: Trial): void {
    this.trials.push(trial)
    this.#wake()
  }

  /** Greatest values heard, summed over runs, as the real service would add them up. */
  traffic(id: string): { up: number; down: number } {
    const runs = new Map<string, { up: number; down: number }>()
    for (const counter of this.reports.flatMap((report) => report.traffic)) {
      if (counter.id === id) runs.set(counter.boot_id, counter)
    }
    const sum = (field: 'up' | 'down') => runs.values().reduce((total, run) => total + run[field], 0)
    return { up: sum('up'), down: sum('down') }
  }

  #answer(since: number): DesiredState {
    const { inbounds, trials, hash } = this
    const told = this.causedBy && { caused_by: this.causedBy }
    const fields = { revision: this.#revision, hash, inbounds, trials, ...told }
    const all = [...this.#accesses.values()]
    if (since === this.#revision)
      return { ...fields, kind: 'unchanged', inbounds: [], accesses: [], removed: [] }
    if (since === 0) return { ...fields, kind: 'snapshot', accesses: all, removed: [] }
    const removed = [...this.#removedAt].filter(([, revision]) => revision > since).map(([id]) => id)
    return { ...fields, kind: 'delta', accesses: all.filter(({ revision }) => revision > since), removed }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    const body = await readBody(request)
    this.requestIds.push(request.headers['x-request-id']?.toString())
    const operation = `${request.method} ${url.pathname}`
    if (operation === 'POST /agent/v1/enrol') return this.#enrol(body, response)
    if (!(await this.#isAuthentic(request))) return refuse(response, 401, 'UNAUTHORIZED')
    const what = url.pathname.split('/')[3] as 'state' | 'report' | 'trials'
    this.askedAtMs.push({ what, at: performance.now() })
    if (this.busyFor[what]-- > 0) return refuse(response, 429, 'Too Many Requests', { 'retry-after': '1' })
    if (operation === 'GET /agent/v1/state') return this.#state(url.searchParams, response)
    if (operation.startsWith('POST /agent/v1/trials/')) return this.#trial(url.pathname, body, response)
    if (operation !== 'POST /agent/v1/report' || this.refuseReports)
      return refuse(response, 503, 'UNAVAILABLE')
    this.reports.push(body as Report)
    accept(response, 200, { desired_revision: this.#revision })
  }

  #enrol(body: unknown, response: ServerResponse): void {
    const { token, public_key } = body as { token: string; public_key: string }
    if (token === this.enrolmentToken) {
      this.#publicKey = public_key
      accept(response, 201, { node_id: nodeId })
    } else refuse(response, 401, 'UNAUTHORIZED')
  }

  #trial(path: string, body: unknown, response: ServerResponse): void {
    const id = Number(path.split('/').at(-1))
    const isOpen = this.trials.some((trial) => trial.id === id)
    this.refuseVerdicts -= 1
    if (this.refuseVerdicts >= 0) refuse(response, 503, 'UNAVAILABLE')
    else if (!isOpen) refuse(response, 404, 'NOT_FOUND')
    else {
      this.verdicts.push({ id, ...(body as { is_accepted: boolean; reason: string | null }) })
      this.trials = this.trials.filter((trial) => trial.id !== id)
      accept(response, 200, true)
    }
  }

  async #state(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const since = Number(query.get('since'))
    this.asked.push(since)
    const { wrongAnswer } = this
    this.wrongAnswer = null
    if (wrongAnswer) return accept(response, 200, wrongAnswer)
    if (since === this.#revision && since > 0 && this.trials.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Number(query.get('wait_seconds')) * 1000)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    if (!response.destroyed) accept(response, 200, this.#answer(since))
  }

  async #isAuthentic(request: IncomingMessage): Promise<boolean> {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (!token || !this.#publicKey) return false
    const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x: this.#publicKey }, 'EdDSA')
    const expected = { issuer: 'sallyport-agent', audience: 'sallyport', typ: 'agent+jwt', maxTokenAge: 120 }
    const verified = await jwtVerify(token, key, { ...expected, algorithms: ['EdDSA'] }).catch(() => null)
    return verified?.protectedHeader.kid === String(nodeId)
  }
}

const readBody = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return chunks.length === 0 ? null : JSON.parse(Buffer.concat(chunks).toString())
}

const send = (response: ServerResponse, statusCode: number, body: object, headers = {}): void => {
  response.writeHead(statusCode, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const accept = (response: ServerResponse, statusCode: number, data: unknown): void =>
  send(response, statusCode, { status: true, statusCode, data })

const refuse = (response: ServerResponse, statusCode: number, message: string, headers = {}): void =>
  send(response, statusCode, { status: false, statusCode, errorCode: 2, message }, headers)
