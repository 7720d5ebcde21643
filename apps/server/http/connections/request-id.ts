import type { IncomingMessage } from 'node:http'
import { Cause } from '../../db/cause.ts'

/**
 * By which a request is found again. A name that came with it is kept, whoever gave it: it is good for finding and proves nothing,
 * so that nobody gains by choosing one.
 */
export const requestIdHeader = 'x-request-id'

export const causeOf = ({ headers }: IncomingMessage): Cause => Cause.named(headers[requestIdHeader])

/** Of a request that could not be read. */
export const newRequestId = (): string => Cause.named(undefined).id
