import { consoleHeader, type OperationTable } from '../operation.ts'
import { type RowsFor, rowsFor } from '../tables.ts'
import { type CalledRow, type Client, type ClientOptions, clientOf, type OperatorClient } from './core.ts'

export {
  type Client,
  type ClientOf,
  type ClientOptions,
  type InputOf,
  type OperatorClient,
  type RateLimit,
  type ResponseInfo,
  SallyportError,
} from './core.ts'

/** Typed clients made from the operation tables; they run in browsers and in Node. */

/** What a client knows of each row. */
export const calledRows = (rows: OperationTable): Record<string, CalledRow> =>
  Object.fromEntries(
    Object.entries(rows).map(([name, { method, path, request }]) => [
      name,
      [method, path, Boolean(request.body)],
    ]),
  )

/** For customers and their programs. */
export const createClient = (options: ClientOptions): Client =>
  clientOf<RowsFor<'customer'>>(calledRows(rowsFor('customer')), options)

/** Without a token it is a person's page: the browser has the cookie, and writes need the header beside it. */
export const createOperatorClient = (options: ClientOptions): OperatorClient =>
  clientOf<RowsFor<'operator'>>(calledRows(rowsFor('operator')), {
    ...options,
    ...(options.token === undefined && { headers: { [consoleHeader]: '1' } }),
  })
