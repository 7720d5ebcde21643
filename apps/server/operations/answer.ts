import type { PaymentLink } from '@sallyport/contract/customer/shapes'
import type { Operation, SuccessStatus } from '@sallyport/contract/operation'
import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { type Cookie, Redirect, Reply, WithStatus } from '../core/call.ts'

/** What came of an operation. */
export interface Answer {
  readonly status: number
  /** The data as JSON, with the fields that the row declares and no others. */
  readonly text: string
  readonly cookie?: Cookie | undefined
  /** Where the browser is sent. */
  readonly location?: string
  /** It was answered before, under the same key. */
  readonly isReplay?: true
  /** Nothing was made: its key may be sent again with the request that makes it. */
  readonly isPreview?: true
  /** Instead of the text: a table, made while it is read. */
  readonly csv?: AsyncIterable<string>
}

export const dataOf = (answer: Answer): unknown => JSON.parse(answer.text)

const headOf = (status: number): string => `{"status":true,"statusCode":${status},"data":`

/** The whole answer as callers over HTTP read it. */
export const envelopeOf = ({ status, text }: Answer): string => `${headOf(status)}${text}}`

export const openEnvelope = (status: number, body: string): Answer => ({
  status,
  text: body.slice(headOf(status).length, -1),
})

type JsonSchema = Parameters<typeof fastJson>[0]

/** A union is serialised by trying validators; "or null" said as nullable compiles to one comparison. */
const withNullable = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withNullable)
  if (typeof schema !== 'object' || schema === null) return schema
  const [value, none, ...others] = (schema as { anyOf?: { type?: string }[] }).anyOf ?? []
  if (none?.type === 'null' && others.length === 0)
    return { ...(withNullable(value) as object), nullable: true }
  return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, withNullable(part)]))
}

/** Serialising by the row's schema keeps fields that are not in the contract from leaking. */
const serialiser = (data: TSchema): ((value: unknown) => string) => {
  let compiled: ((value: unknown) => string) | undefined
  return (value) => {
    compiled ??= fastJson(withNullable(data) as JsonSchema)
    return compiled(value)
  }
}

const answererAs = (row: Operation, status: SuccessStatus): ((data: unknown) => Answer) => {
  const serialise = serialiser(row.response[status] as TSchema)
  return (data) => ({ status, text: serialise(data) })
}

const redirectTo = ({ url, cookie }: Redirect): Answer => ({
  status: 302,
  text: JSON.stringify({ url }),
  location: url,
  cookie,
})

/** Makes answers of what a handler gives. */
export const answerer = (row: Operation): ((given: unknown) => Answer) => {
  const statuses = Object.keys(row.response).map(Number) as SuccessStatus[]
  const answerers = new Map(statuses.map((status) => [status, answererAs(row, status)]))
  const as = (status: SuccessStatus) => answerers.get(status) as (data: unknown) => Answer
  const usual = as(statuses[0] as SuccessStatus)
  return (given) => {
    if (given instanceof Redirect) return redirectTo(given)
    if (given instanceof WithStatus) return as(given.status)(given.data)
    if (given instanceof Reply) return { ...usual(given.data), cookie: given.cookie }
    return usual(given)
  }
}

/** Where money has to come first, the answer may have a status of its own. */
export const linkAnswerer = (row: Operation): ((link: PaymentLink) => Answer) =>
  row.response[201] ? answererAs(row, 201) : answerer(row)
