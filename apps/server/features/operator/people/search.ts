import type { searchRows } from '@sallyport/contract/operator/people/search'
import type { Handlers } from '../../../core/call.ts'
import { type CustomerPlace, findCustomers } from '../../../core/customers/find-customers.ts'
import { openCursor, sealCursor } from '../common/cursors.ts'
import { usualPage } from '../common/search.ts'
import { listCustomers } from './search-queries.ts'

export const searchHandlers: Handlers<typeof searchRows> = {
  searchUsers: async ({ db, vault, query, now }) => {
    const { limit = usualPage, search, view, sort } = query
    const list = { of: 'users', search: search?.trim(), view, sort }
    const after = openCursor<CustomerPlace>(vault, list, query.cursor)
    const { ids, next } = await findCustomers(db, vault, { search, view, sort, after, limit, now })
    return { items: await listCustomers(db, ids, now), next_cursor: sealCursor(vault, list, next) }
  },
}
