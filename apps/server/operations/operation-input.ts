import type { Operation } from '@sallyport/contract/operation'
import { Closed } from '@sallyport/contract/shapes'
import type { Language } from '@sallyport/domain/text/language'
import type { TSchema } from 'typebox'
import type { Call, Services } from '../core/call.ts'
import { type Actor, actorFields } from './actor.ts'
import { readNamed, refuseUnknown, validate } from './validate.ts'

/** Values by name, as text or as they are. */
export type Named = Readonly<Record<string, unknown>>

/** What a caller says. */
export interface OperationInput {
  readonly params?: Named
  readonly query?: Named
  readonly body?: unknown
  readonly language: Language
  /** The address that guesses and limits of strangers are counted against. */
  readonly ip: string
  /** A table instead of the usual answer, where the row has one. */
  readonly wantsCsv?: boolean
  cookie?(name: string): string | undefined
  header?(name: string): string | undefined
  /** Aborted when the caller goes away. */
  abortSignal?(): AbortSignal
  /** Out of the line of requests while nothing is done but waiting. */
  aside?<T>(wait: () => Promise<T>): Promise<T>
}

/** A body that is none, kept until it is known whether what it is about is there. */
export class UnreadableBody {
  readonly reason: unknown

  constructor(reason: unknown) {
    this.reason = reason
  }
}

const noBody = Closed({})
const nothing: Named = {}

/** Of operators' addresses every name is known, as fields of bodies are. */
const readQuery = ({ auth, request: { query } }: Operation, given: Named): unknown => {
  if (auth === 'operator') refuseUnknown(query, given)
  return query && readNamed(query, given)
}

const readBody = (schema: TSchema | undefined, body: unknown): unknown => {
  if (body instanceof UnreadableBody) throw body.reason
  const value = body === undefined ? {} : body
  validate(schema ?? noBody, value)
  return schema ? value : undefined
}

/** One request as its handler sees it, or the complaint that it is none. */
export const buildCall = (
  row: Operation,
  services: Services,
  actor: Actor | undefined,
  input: OperationInput,
): Call<Operation> => ({
  ...services,
  ...actorFields(actor),
  params: row.request.params && readNamed(row.request.params, input.params ?? nothing),
  query: readQuery(row, input.query ?? nothing),
  body: readBody(row.request.body, input.body),
  language: input.language,
  now: services.clock.now(),
  // Asking the socket for it is not free, and few handlers do.
  get ip() {
    return input.ip
  },
  cookie: (name) => input.cookie?.(name),
  header: (name) => input.header?.(name),
  abortSignal: () => input.abortSignal?.() ?? services.stopping,
  aside: (wait) => (input.aside ? input.aside(wait) : wait()),
})
