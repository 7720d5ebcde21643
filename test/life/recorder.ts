import { allOperations, type ContractOperation, type OperationName } from '@sallyport/contract/tables'
import type { Answer, TestService } from '../support/service.ts'
import { Labels } from './labels.ts'
import { kindsOf, Normaliser } from './normalise.ts'
import { print } from './print.ts'

/** Who calls: with a name for the record and the credentials that the record does not show. */
export interface Caller {
  readonly name: string
  /** The bearer for an operation, if any. */
  token(operation: ContractOperation): string | undefined
}

export interface Input {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** In the same second as the call before. */
  readonly isAtOnce?: boolean
}

/** An answer with what is usually wanted of it at hand. */
export interface Told extends Answer {
  readonly data: Answer['body']
}

export const operations = new Map([...allOperations()].map((operation) => [operation.name, operation]))

export const operationOf = (name: OperationName): ContractOperation => {
  const operation = operations.get(name)
  if (!operation) throw new Error(`${name} is not in the contract`)
  return operation
}

/** Beside the body, what an operation promises. */
const promisedHeaders = ['retry-after', 'location', 'allow', 'idempotency-replayed', 'set-cookie']

const pathOf = ({ base, row }: ContractOperation, { params = {}, query = {} }: Input): string => {
  const path = row.path.replaceAll(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) search.set(name, String(value))
  return `${base}${path}${search.size > 0 ? `?${search}` : ''}`
}

/** Without the parts of the envelope that say again what the status says. */
const toldIn = ({ status, body }: Answer): Entry => {
  const { status: isGood, statusCode, ...rest } = body ?? {}
  if (statusCode !== status || isGood !== status < 400) return { answer: body }
  return isGood ? rest : { failure: rest }
}

export interface Heard {
  readonly name: OperationName
  readonly who: string
  readonly text: string
}

type Entry = Readonly<Record<string, unknown>>

/** Calls the service and writes down what was asked and answered. */
export class Recorder {
  readonly service: TestService
  readonly called = new Set<OperationName>()
  /** Every answer as it came. */
  readonly heard: Heard[] = []
  readonly labels = new Labels()
  readonly #normaliser: Normaliser
  #entries: Entry[] = []

  constructor(service: TestService, places: readonly (readonly [url: string, name: string])[]) {
    this.service = service
    this.#normaliser = new Normaliser(this.labels, places)
  }

  /** What was written down since the last time. */
  take(): string {
    const entries = this.#entries
    this.#entries = []
    return `${print(entries)}\n`
  }

  write(entry: Entry): void {
    this.#entries.push(entry)
  }

  normalise(value: unknown, kind = ''): unknown {
    return this.#normaliser.value(value, kind)
  }

  headersOf(headers: Headers, names: readonly string[]): Entry {
    const there = names.filter((name) => headers.has(name))
    return Object.fromEntries(there.map((name) => [name, this.#normaliser.text(headers.get(name) ?? '')]))
  }

  /** Asks without a trace, a second after the last time, as the limits of most operations want it. */
  async send(who: Caller, name: OperationName, input: Input = {}): Promise<Told> {
    if (!input.isAtOnce) this.service.clock.advance(1)
    const operation = operationOf(name)
    const token = who.token(operation)
    const answer = await this.service.call(operation.row.method, pathOf(operation, input), {
      body: input.body,
      ...(token !== undefined && { token }),
      ...(input.headers && { headers: input.headers }),
    })
    this.heard.push({ name, who: who.name, text: JSON.stringify(answer.body) })
    return { ...answer, data: answer.body?.data }
  }

  note(who: Caller, name: OperationName, input: Input, answer: Answer): void {
    this.called.add(name)
    const { asked, answered } = kindsOf(operationOf(name))
    const { params, query, body, headers } = input
    const promised = this.headersOf(answer.headers, promisedHeaders)
    this.write({
      call: name,
      as: who.name,
      ...(params && { params: this.normalise(params, asked) }),
      ...(query && { query: this.normalise(query, answered) }),
      ...(headers && { headers: this.normalise(headers) }),
      ...(body !== undefined && { body: this.normalise(body) }),
      status: answer.status,
      ...(Object.keys(promised).length > 0 && { promised }),
      ...(this.normalise(toldIn(answer), answered) as object),
    })
  }

  async ask(who: Caller, name: OperationName, input: Input = {}): Promise<Told> {
    const answer = await this.send(who, name, input)
    this.note(who, name, input, answer)
    return answer
  }
}
