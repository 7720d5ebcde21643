import { badRequest } from '@sallyport/contract/errors'
import type { Vault } from '../../../core/kernel/vault.ts'

/** Where a list goes on, sealed: it may hold what is personal, and belongs to the list that it was given with. */

const contextOf = (list: object): string => `cursor:${JSON.stringify(list)}`

export const sealCursor = (vault: Vault, list: object, place: object | undefined): string | null =>
  place === undefined ? null : vault.seal(JSON.stringify(place), contextOf(list)).toString('base64url')

/** Undefined is the beginning. */
export const openCursor = <Place>(
  vault: Vault,
  list: object,
  cursor: string | undefined,
): Place | undefined => {
  if (cursor === undefined) return undefined
  try {
    return JSON.parse(vault.open(Buffer.from(cursor, 'base64url'), contextOf(list))) as Place
  } catch {
    throw badRequest(
      'cursor',
      'is not of this list: take next_cursor of a page with the same search, view and sort',
    )
  }
}
