import type { ErrorName, Problem } from '../errors.ts'
import type { BodyOf, DataOf, Operation, ParamsOf, QueryOf } from '../operation.ts'
import type { RowsFor } from '../tables.ts'

/** What clients are made of. Nothing of the tables is in it but types, so that a page carries no schema. */

/** All that a client has to know of a row: how it is asked for, where, and whether it has a body. */
export type CalledRow = readonly [method: Operation['method'], path: string, hasBody: boolean]

/** What a client sends with every request. */
export interface Sent {
  /** For example https://vpn.example.com/v1, or …/operator/v1 for the operator's client. */
  readonly baseUrl: string
  /** API key, session token or operator's token; a function is asked before every request, so that it can be renewed. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  readonly fetch?: typeof globalThis.fetch
  /** Language of titles and names in answers. */
  readonly language?: 'ru' | 'en'
  readonly headers?: Readonly<Record<string, string>>
  /** Told about every answer, failures too, before the call settles. */
  readonly onAnswer?: (operation: string, response: Response) => void
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

  /** The message is the name, but of one error, whose message others have always read. */
  is(name: ErrorName): boolean {
    if (this.errorCode === 0) return false
    return this.message === (name === 'TOO_MANY_REQUESTS' ? 'Too Many Requests' : name)
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

const addressOf = (
  baseUrl: string,
  [, rowPath]: CalledRow,
  { params = {}, query = {} }: AnyInput,
): string => {
  const path = rowPath.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  const tail = search.size > 0 ? `?${search}` : ''
  return `${baseUrl.replace(/\/+$/, '')}${path}${tail}`
}

const requestOf = async (
  [method, , hasBody]: CalledRow,
  input: AnyInput,
  options: Sent,
): Promise<RequestInit> => {
  const token = typeof options.token === 'function' ? await options.token() : options.token
  return {
    method,
    headers: {
      accept: 'application/json',
      ...options.headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(options.language && { 'accept-language': options.language }),
      ...(input.idempotencyKey !== undefined && { 'idempotency-key': input.idempotencyKey }),
      ...(hasBody && { 'content-type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(input.body ?? {}) }),
    ...(input.signal && { signal: input.signal }),
  }
}

export const numberIn = (headers: Headers, name: string): number | undefined => {
  const text = headers.get(name)
  const value = Number(text)
  return text === null || Number.isNaN(value) ? undefined : value
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

const call = async (name: string, row: CalledRow, input: AnyInput, options: Sent): Promise<unknown> => {
  // Browsers refuse a fetch torn off its window, so the global one is called in place.
  const send: typeof globalThis.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request))
  const response = await send(addressOf(options.baseUrl, row, input), await requestOf(row, input, options))
  const answer = await readEnvelope(response)
  options.onAnswer?.(name, response)
  if (answer.status) return answer.data
  throw new SallyportError(answer, numberIn(response.headers, 'retry-after'))
}

/** One method for every row. */
export const clientOf = <T>(rows: Readonly<Record<string, CalledRow>>, options: Sent): ClientOf<T> => {
  const methods: Record<string, (input?: AnyInput) => Promise<unknown>> = {}
  for (const [name, row] of Object.entries(rows)) {
    methods[name] = (input = {}) => call(name, row, input, options)
  }
  return methods as unknown as ClientOf<T>
}
