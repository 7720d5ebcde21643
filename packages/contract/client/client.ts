import { consoleHeader, type OperationTable } from '../operation.ts'
import { type RowsFor, rowsFor } from '../tables.ts'
import { type CalledRow, type Client, clientOf, numberIn, type OperatorClient, type Sent } from './core.ts'

export {
  type Client,
  type ClientOf,
  type InputOf,
  type OperatorClient,
  SallyportError,
} from './core.ts'

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

export interface ClientOptions extends Omit<Sent, 'headers' | 'onAnswer'> {
  /** Told about every answer, failures too, before the call settles. */
  readonly onResponse?: (info: ResponseInfo) => void
}

const rateLimitIn = (headers: Headers): RateLimit | undefined => {
  const limit = numberIn(headers, 'x-ratelimit-limit')
  const remaining = numberIn(headers, 'x-ratelimit-remaining')
  const resetsAt = numberIn(headers, 'x-ratelimit-reset')
  if (limit === undefined || remaining === undefined || resetsAt === undefined) return undefined
  return { limit, remaining, resetsAt }
}

const sentWith = ({ onResponse, ...options }: ClientOptions): Sent => ({
  ...options,
  ...(onResponse && {
    onAnswer: (operation, { status: statusCode, headers }) =>
      onResponse({
        operation,
        statusCode,
        rateLimit: rateLimitIn(headers),
        isReplay: headers.get('idempotency-replayed') === 'true',
      }),
  }),
})

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
  clientOf<RowsFor<'customer'>>(calledRows(rowsFor('customer')), sentWith(options))

/** Without a token it is a person's page: the browser has the cookie, and writes need the header beside it. */
export const createOperatorClient = (options: ClientOptions): OperatorClient =>
  clientOf<RowsFor<'operator'>>(calledRows(rowsFor('operator')), {
    ...sentWith(options),
    ...(options.token === undefined && { headers: { [consoleHeader]: '1' } }),
  })
