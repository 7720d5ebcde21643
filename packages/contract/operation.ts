import type { Static, TSchema } from 'typebox'
import type { ErrorName } from './errors.ts'
import type { Words } from './shapes.ts'

/**
 * Who may call: an API key or session, a session only, an operator, a node agent, somebody who signs in (an API key is
 * refused), or anybody.
 */
export type Auth = 'customer' | 'session' | 'operator' | 'agent' | 'visitor' | 'public'

/** `points` requests per `seconds`, counted in the operation's own bucket. */
export interface Limit {
  readonly points: number
  readonly seconds: number
}

/** 'global' operations share one bucket per customer; 'none' is for operators. */
export type LimitRule = 'global' | 'none' | Limit

export const roles = ['owner', 'support', 'finance', 'technician'] as const
export type Role = (typeof roles)[number]

/** Who may call a row that names nobody: whoever works with customers. Technicians are named where they may. */
const usualRoles: readonly Role[] = ['owner', 'support', 'finance']

export type GuessKind = 'promocode' | 'transfer_key'

/** What a write leaves in the log under its own name; whoever handles it adds what was before and after. */
export interface AuditRule {
  /** What kind of thing: `user` is written as `user:7`, with the first id of the path or that of what was made. */
  readonly subject: string
  /** Fields of which the log says only that they changed: it is for ever, and a customer may want to be forgotten. */
  readonly hidden?: readonly string[]
}

export interface OperationRequest {
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
}

/** Whole values; a test holds each to its schema. */
export interface OperationExample {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly data?: unknown
}

export type SuccessStatus = 200 | 201 | 302

/** Everything public about one endpoint. Routes, validation, limits, docs and clients derive from it. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Relative to the table's base address; parameters are written :name. */
  readonly path: string
  readonly summary: Words
  readonly auth: Auth
  /** Operators who may call; see rolesOf when not said. */
  readonly roles?: readonly Role[]
  readonly limit: LimitRule
  readonly request: OperationRequest
  /** Schema of `data` for each success status. The first status is the usual one. */
  readonly response: Readonly<Partial<Record<SuccessStatus, TSchema>>>
  /** Shown in the reference instead of what follows from the fields' own examples. */
  readonly example?: OperationExample
  /** Errors this operation may answer beyond the ones every operation may (see commonErrors). */
  readonly errors: readonly ErrorName[]
  /** Accepts the Idempotency-Key header. */
  readonly idempotent?: true
  /** What its body may name and others may try to guess: attempts are counted, beside the usual limit. */
  readonly guesses?: GuessKind
  /** Its answer may be a payment link, for which a provider is asked once all else is written down. */
  readonly obtainsLink?: true
  /** What an operator's write leaves in the audit log. */
  readonly audit?: AuditRule
  /** A list that also answers `text/csv`, all of the filter, where `Accept` asks for it. */
  readonly csv?: true
  /** What it answers may be some seconds old, so that a standby may be asked. Never where somebody looks for what he has just done. */
  readonly mayBeOld?: true
  /** Gives money or power away: a person who is signed in proves anew that it is them. Programs do not. */
  readonly reauthenticates?: true
  /** Accepted body size, when it is not the usual 64 KiB. */
  readonly bodyLimitBytes?: number
}

/** A token for some operations also tells who it is of. */
export const isForToken = (name: string, operations: readonly string[] | null): boolean =>
  !operations || name === 'showMe' || operations.includes(name)

/** Operators who may call it. */
export const rolesOf = ({ roles: named }: Operation): readonly Role[] => named ?? usualRoles

/** What it may answer beside the errors that every operation may. */
export const ownErrorsOf = ({ errors, reauthenticates }: Operation): readonly ErrorName[] =>
  reauthenticates ? [...errors, 'REAUTHENTICATION_REQUIRED'] : errors

export type OperationTable = Readonly<Record<string, Operation>>

/** An operator's write that does not say what it leaves in the audit log does not compile. */
type AuditedWrites<T extends OperationTable> = {
  readonly [K in keyof T]: T[K] extends { readonly auth: 'operator' }
    ? T[K] extends { readonly method: 'GET' }
      ? { readonly audit?: never }
      : { readonly audit: AuditRule }
    : { readonly audit?: never }
}

export const table = <const T extends OperationTable>(rows: T & AuditedWrites<T>): T => rows

type StaticOf<T> = T extends TSchema ? Static<T> : undefined

export type ParamsOf<O extends Operation> = StaticOf<O['request']['params']>
export type QueryOf<O extends Operation> = StaticOf<O['request']['query']>
export type BodyOf<O extends Operation> = StaticOf<O['request']['body']>

type ResponseSchemas<O extends Operation> = O['response'][keyof O['response']]
export type DataOf<O extends Operation> =
  ResponseSchemas<O> extends infer S ? (S extends TSchema ? Static<S> : never) : never

export const per = (points: number, seconds: number): Limit => ({ points, seconds })

export const globalLimit = per(300, 60)
export const anonymousLimit = per(60, 60)

export const basePaths = {
  v1: '/v1',
  operator: '/operator/v1',
  agent: '/agent/v1',
} as const

/** What the browser of an operator who is signed in comes with, and the header that has to stand beside it in writes. */
export const consoleCookie = '__Host-sallyport-console'
export const consoleHeader = 'X-Sallyport-Console'

/** The same for a customer who is signed in to the cabinet; over plain http the cookie is called without `__Host-`. */
export const cabinetCookie = '__Host-sallyport-cabinet'
export const cabinetHeader = 'X-Sallyport-Cabinet'

export const usualBodyLimitBytes = 64 * 1024
