import { ApiError, type ErrorName, errors, messageOf, type Problem } from '@sallyport/contract/errors'
import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'
import { DatabaseError } from '../../db/driver.ts'

export type Serialise = (data: unknown) => string

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
export const successSerialiser = (status: number, data: TSchema): Serialise => {
  let compiled: Serialise | undefined
  const head = `{"status":true,"statusCode":${status},"data":`
  return (value) => {
    compiled ??= fastJson(withNullable(data) as JsonSchema)
    return `${head}${compiled(value)}}`
  }
}

export const failureBody = (name: ErrorName, details?: readonly Problem[]): string =>
  JSON.stringify({
    status: false,
    statusCode: errors[name].status,
    errorCode: errors[name].code,
    message: messageOf(name),
    ...(details && { details }),
  })

const frameworkErrors: Readonly<Record<string, { name: ErrorName; problem?: string }>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { name: 'PAYLOAD_TOO_LARGE' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { name: 'UNSUPPORTED_MEDIA_TYPE' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    name: 'BAD_REQUEST',
    problem: 'Content-Length does not match the body',
  },
  FST_ERR_HANDLER_TIMEOUT: { name: 'UNAVAILABLE' },
}

/** Shutting down, out of connections, or too slow: the database will be back, the caller may try again. */
const passingDatabaseStates = /^(08|53|57|55P03|40)/
const passingNodeErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT'])

const isPassing = (error: Error & { code?: string }): boolean => {
  if (error instanceof DatabaseError) return passingDatabaseStates.test(error.code ?? '')
  if (passingNodeErrors.has(error.code ?? '')) return true
  return /timeout exceeded when trying to connect|Connection terminated|not queryable/i.test(error.message)
}

/** Whatever was thrown, as an error of the catalogue. */
export const toApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  if (!(error instanceof Error)) return new ApiError('INTERNAL')
  const code = (error as { code?: string }).code ?? ''
  const known = frameworkErrors[code]
  if (known)
    return new ApiError(known.name, known.problem ? [{ path: '', problem: known.problem }] : undefined)
  const status = (error as { statusCode?: number }).statusCode
  if (code.startsWith('FST_') && status !== undefined && status >= 400 && status < 500)
    return new ApiError('BAD_REQUEST')
  return new ApiError(isPassing(error) ? 'UNAVAILABLE' : 'INTERNAL')
}
