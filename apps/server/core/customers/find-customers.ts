import { badRequest } from '@sallyport/contract/errors'
import { type UserSort, type UserView, viewsWithEnds } from '@sallyport/contract/operator/people/views'
import type { Db } from '../../db/client.ts'
import type { Vault } from '../kernel/vault.ts'
import { findBeginning, listBlocked, search } from './search.ts'
import { fieldOf, type Place, type Source, sourceOf, sourceOfBeginning, sourceOfSome } from './sources.ts'
import { listPaid } from './views.ts'
import { walk } from './walk.ts'

/** A page of customers, by a search, a view and an order. */

/** So many can be put into any order at once. */
const mostSorted = 1000
const mostFew = 5000

export interface Wanted {
  readonly search?: string | undefined
  readonly view?: UserView | undefined
  readonly sort?: UserSort | undefined
}

/** Those who were named come first, and then those whose e-mails begin so where they are many. */
export interface CustomerPlace extends Partial<Place> {
  readonly isBeginning?: boolean
}

export interface CustomerPage {
  readonly ids: readonly number[]
  readonly next: CustomerPlace | undefined
}

const refuseSort = ({ sort, view }: Wanted): void => {
  if (sort === undefined || fieldOf(sort).field !== 'next_end' || viewsWithEnds.includes(view)) return
  throw badRequest(
    'sort',
    `next_end sorts the views ${viewsWithEnds.join(', ')}; the others have newest, id, created_at and balance`,
  )
}

interface Asked extends Wanted {
  readonly after?: CustomerPlace | undefined
  readonly limit: number
  readonly now: number
}

const placeIn = (after: CustomerPlace | undefined): Place | undefined =>
  after?.key === undefined || after.id === undefined ? undefined : { key: after.key, id: after.id }

const pageOf = (db: Db, source: Source, { view, limit, now, after }: Asked) =>
  walk(db, source, { view, limit, now, after: placeIn(after) })

const findBegun = async (
  db: Db,
  beginning: string,
  named: readonly number[],
  asked: Asked,
): Promise<CustomerPage> => {
  const { ids, next } = await pageOf(db, sourceOfBeginning(beginning, named), asked)
  return { ids, next: next && { ...next, isBeginning: true } }
}

const findBySearch = async (db: Db, vault: Vault, said: string, asked: Asked): Promise<CustomerPage> => {
  const { sort, after, now } = asked
  const { first, named, beginning } = await search(db, vault, said)
  if (beginning !== null && after?.isBeginning) return findBegun(db, beginning, named, asked)
  const begun = beginning === null ? [] : await findBeginning(db, beginning, mostSorted + 1)
  if (beginning === null || begun.length <= mostSorted) {
    return pageOf(db, sourceOfSome([...new Set([...named, ...begun])], { first, sort, now }), asked)
  }
  if (sort !== undefined) {
    throw badRequest(
      'search',
      `more than ${mostSorted} e-mails begin so: say more of it, or leave the sort out`,
    )
  }
  if (named.length === 0) return findBegun(db, beginning, named, asked)
  const { ids, next } = await pageOf(db, sourceOfSome(named, { first, sort, now }), asked)
  return { ids, next: next ?? { isBeginning: true } }
}

/** Where those of a view may be few among all customers, they are more quickly sorted than met. */
const findFew = async (db: Db, { view, sort = 'newest', now }: Asked): Promise<number[] | undefined> => {
  if (view === 'blocked' && fieldOf(sort).field === 'id') return undefined
  if (view !== 'blocked' && view !== 'paying') return undefined
  const found = view === 'blocked' ? await listBlocked(db, mostFew + 1) : await listPaid(db, now, mostFew + 1)
  return found.length <= mostFew ? [...new Set(found)] : undefined
}

export const findCustomers = async (db: Db, vault: Vault, asked: Asked): Promise<CustomerPage> => {
  refuseSort(asked)
  if (asked.search !== undefined) return findBySearch(db, vault, asked.search, asked)
  const { sort = 'newest', view, now } = asked
  const few = await findFew(db, asked)
  if (few) return pageOf(db, sourceOfSome(few, { first: null, sort, now }), asked)
  return pageOf(db, sourceOf(sort, view, now), asked)
}
