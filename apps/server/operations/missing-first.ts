import { ApiError, errors } from '@sallyport/contract/errors'
import type { Operation } from '@sallyport/contract/operation'
import type { Services } from '../core/call.ts'
import { findMissing, resourcesIn } from '../core/resource-lookup.ts'
import type { Actor } from './actor.ts'
import type { Named } from './operation-input.ts'
import { readNamed } from './validate.ts'

/** Judged by what it says, or by what it is about: of what is not there neither can be wrong. */
const isJudged = (error: unknown): boolean =>
  error instanceof ApiError && [400, 402, 409].includes(errors[error.code].status)

/** The values of the path in its order; undefined when they cannot name anything. */
const readPath = ({ request: { params }, path }: Operation, given: Named): unknown[] | undefined => {
  if (!params) return undefined
  try {
    const values = readNamed(params, given)
    return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => values[name])
  } catch {
    return undefined
  }
}

/**
 * Throws what a request failed with, or that what its address names is not there. Only asked when a request was refused:
 * whoever makes no mistake does not wait for it.
 */
export const missingFirst = (base: string, row: Operation, services: Services) => {
  const named = resourcesIn(base, row)
  return async (error: unknown, actor: Actor | undefined, params: Named): Promise<never> => {
    const ids = named.length > 0 && isJudged(error) ? readPath(row, params) : undefined
    if (!ids) throw error
    const { db, vault } = services
    const asking = { db, vault, me: actor?.id ?? 0, ids: ids as (number | string)[] }
    const missing = await findMissing(named, asking)
    throw missing ? new ApiError(missing) : error
  }
}
