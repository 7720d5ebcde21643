import { ApiError } from '@sallyport/contract/errors'
import { DatabaseError } from '../db/driver.ts'

/** Shutting down, out of connections, too slow, or no longer the primary: the database will be back, the caller may try again. */
const passingDatabaseStates = /^(08|53|57|55P03|40|25006)/
const passingNodeErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT'])

const isPassing = (error: Error & { code?: string }): boolean => {
  if (error instanceof DatabaseError) return passingDatabaseStates.test(error.code ?? '')
  if (passingNodeErrors.has(error.code ?? '')) return true
  return /timeout exceeded when trying to connect|Connection terminated|not queryable/i.test(error.message)
}

/** Whatever an operation threw, as an error of the catalogue. */
export const failureOf = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  return new ApiError(error instanceof Error && isPassing(error) ? 'UNAVAILABLE' : 'INTERNAL')
}
