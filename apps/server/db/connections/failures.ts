import pg from 'pg'
import { DatabaseError } from '../driver.ts'
import { connectionFailure } from './primary-client.ts'

const brokenConnection = /^Connection terminated|is not queryable$|^timeout (expired|exceeded)/

/** Whatever pg threw, as an error that both engines know. */
export const translate = (error: unknown): never => {
  if (error instanceof pg.DatabaseError) {
    throw new DatabaseError(error.message, error.code, error.constraint, error)
  }
  // pg gives no code to what it says of a connection that broke, or that could not be made in time.
  if (error instanceof Error && brokenConnection.test(error.message)) {
    throw new DatabaseError(error.message, connectionFailure, undefined, error)
  }
  throw error
}

/** A server that goes down, or one that was the primary and now only reads (25006). */
const uselessStates = /^(08|25006|57P0)/

/** Whether the connection it came from is of no more use. */
export const isUseless = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || uselessStates.test(error.code ?? '')
