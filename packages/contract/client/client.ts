import { type ErrorName, errors, type Problem } from '../errors.ts'
import {
  type BodyOf,
  consoleHeader,
  type DataOf,
  type Operation,
  type OperationTable,
  type ParamsOf,
  type QueryOf,
} from '../operation.ts'
import { type RowsFor, rowsFor } from '../tables.ts'

/** Typed clients made from the operation tables; they run in browsers and in Node. */

export interface RateLimit {
  readonly limit: number
  readonly remaining: number
  /** Unix seconds. */
  readonly resetsAt: number
}

export interface ResponseInfo {
  readonly operation: string
  readonly statusCode: number
  /** Absent when the operation is not limited. */
  readonly rateLimit: RateLimit | undefined
  /** The answer is that of an earlier request with the same idempotency key. */
  readonly isReplay: boolean
}

export interface ClientOptions {
  /** For example https://vpn.example.com/v1, or …/operator/v1 for the operator's client. */
  readonly baseUrl: string
  /** API key, session token or operator's token; a function is asked before every request, so that it can be renewed. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  readonly fetch?: typeof globalThis.fetch
  /** Language of titles and names in answers. */
  readonly language?: 'ru' | 'en'
  /** Told about every answer, failures too, before the call settles. */
  readonly onResponse?: (info: ResponseInfo) => void
}

interface Failure {
  readonly statusCode: number
  readonly errorCode: number
  readonly message: string
  readonly details?: readonly Problem[]
  readonly data?: unknown
}

/** The service refused. A request that got no answer at all rejects with what `fetch` threw. */
export class SallyportError extends Error {
  /** Number from the error catalogue; 0 when something in between answered instead of the service. */
  readonly errorCode: number
  readonly statusCode: number
  readonly details: readonly Problem[]
  readonly retryAfterSeconds: number | undefined
  /** What the request collided with, as it is now. */
  readonly data: unknown

  constructor(failure: Failure, retryAfterSeconds: number | undefined) {
    super(failure.message)
    this.name = 'SallyportError'
    this.errorCode = failure.errorCode
    this.statusCode = failure.statusCode
    this.details = failure.details ?? []
    this.retryAfterSeconds = retryAfterSeconds
    this.data = failure.data
  }

  is(name: ErrorName): boolean {
    return this.errorCode === errors[name].code
  }
}

type Nothing = Record<never, never>
/** A part that may be empty may be left out. */
type Part<K extends string, T> = [T] extends [undefined]
  ? Nothing
  : Nothing extends T
    ? { readonly [P in K]?: T }
    : { readonly [P in K]: T }

type KeyPart<O extends Operation> = O extends { readonly idempotent: true }
  ? { readonly idempotencyKey?: string }
  : Nothing

export type InputOf<O extends Operation> = Part<'params', ParamsOf<O>> &
  Part<'query', QueryOf<O>> &
  Part<'body', BodyOf<O>> &
  KeyPart<O> & { readonly signal?: AbortSignal }

type Method<O extends Operation> =
  Nothing extends InputOf<O>
    ? (input?: InputOf<O>) => Promise<DataOf<O>>
    : (input: InputOf<O>) => Promise<DataOf<O>>

export type ClientOf<T> = {
  readonly [K in keyof T]: T[K] extends Operation ? Method<T[K]> : never
}
export type Client = ClientOf<RowsFor<'customer'>>
export type OperatorClient = ClientOf<RowsFor<'operator'>>

interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

const addressOf = (baseUrl: string, row: Operation, { params = {}, query = {} }: AnyInput): string => {
  const path = row.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  const tail = search.size > 0 ? `?${search}` : ''
  return `${baseUrl.replace(/\/+$/, '')}${path}${tail}`
}

/** What a client sends with every request besides. */
interface Sent extends ClientOptions {
  readonly headers?: Readonly<Record<string, string>>
}

const requestOf = async (row: Operation, input: AnyInput, options: Sent): Promise<RequestInit> => {
  const token = typeof options.token === 'function' ? await options.token() : options.token
  return {
    method: row.method,
    headers: {
      accept: 'application/json',
      ...options.headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(options.language && { 'accept-language': options.language }),
      ...(input.idempotencyKey !== undefined && { 'idempotency-key': input.idempotencyKey }),
      ...(row.request.body && { 'content-type': 'application/json' }),
    },
    ...(row.request.body && { body: JSON.stringify(input.body ?? {}) }),
    ...(input.signal && { signal: input.signal }),
  }
}

const numberIn = (headers: Headers, name: string): number | undefined => {
  const text = headers.get(name)
  const value = Number(text)
  return text === null || Number.isNaN(value) ? undefined : value
}

const rateLimitIn = (headers: Headers): RateLimit | undefined => {
  const limit = numberIn(headers, 'x-ratelimit-limit')
  const remaining = numberIn(headers, 'x-ratelimit-remaining')
  const resetsAt = numberIn(headers, 'x-ratelimit-reset')
  if (limit === undefined || remaining === undefined || resetsAt === undefined) return undefined
  return { limit, remaining, resetsAt }
}

type Envelope = { readonly status: true; readonly data: unknown } | ({ readonly status: false } & Failure)

const readEnvelope = async (response: Response): Promise<Envelope> => {
  const text = await response.text()
  try {
    const answer = JSON.parse(text) as Envelope | null
    if (typeof answer?.status === 'boolean') return answer
  } catch {
    // A proxy's own page is not JSON: told below like any other strange answer.
  }
  const { status } = response
  return { status: false, statusCode: status, errorCode: 0, message: `HTTP ${status} without an envelope` }
}

const call = async (name: string, row: Operation, input: AnyInput, options: Sent): Promise<unknown> => {
  // Browsers refuse a fetch torn off its window, so the global one is called in place.
  const send: typeof globalThis.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request))
  const response = await send(addressOf(options.baseUrl, row, input), await requestOf(row, input, options))
  const { headers, status } = response
  const answer = await readEnvelope(response)
  options.onResponse?.({
    operation: name,
    statusCode: status,
    rateLimit: rateLimitIn(headers),
    isReplay: headers.get('idempotency-replayed') === 'true',
  })
  if (answer.status) return answer.data
  throw new SallyportError(answer, numberIn(headers, 'retry-after'))
}

/** One method for every row. */
const clientOf = <T extends OperationTable>(rows: T, options: Sent): ClientOf<T> => {
  const methods: Record<string, (input?: AnyInput) => Promise<unknown>> = {}
  for (const [name, row] of Object.entries(rows)) {
    methods[name] = (input = {}) => call(name, row, input, options)
  }
  return methods as unknown as ClientOf<T>
}

/** For customers and their programs. */
export const createClient = (options: ClientOptions): Client => clientOf(rowsFor('customer'), options)

/** Without a token it is a person's page: the browser has the cookie, and writes need the header beside it. */
export const createOperatorClient = (options: ClientOptions): OperatorClient =>
  clientOf(rowsFor('operator'), {
    ...options,
    ...(options.token === undefined && { headers: { [consoleHeader]: '1' } }),
  })
