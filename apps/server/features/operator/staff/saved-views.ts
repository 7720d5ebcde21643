import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import { type Operation, type Role, rolesOf } from '@sallyport/contract/operation'
import type { savedViewRows } from '@sallyport/contract/operator/staff/saved-views'
import { rowsFor } from '@sallyport/contract/tables'
import { consolePages } from '@sallyport/domain/console/pages'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { isUniqueViolation } from '../../../db/driver.ts'
import { wholeOrPage } from '../common/pages.ts'
import { requireVersion } from '../common/versions.ts'
import { countViews, deleteView, insertView, listViews, lockView, updateView } from './saved-view-queries.ts'

/** Lists as operators look at them: filter and order under a name. */

/** They stand beside each other above a list. */
const mostViews = 100

const pagesOf = (role: Role): readonly string[] => {
  const rows: Readonly<Record<string, Operation>> = rowsFor('operator')
  return consolePages
    .filter(({ path, calls }) => !path.includes(':') && rolesOf(rows[calls] as Operation).includes(role))
    .map(({ path }) => path)
}

const notThere = (): never => {
  throw new ApiError('NOT_FOUND')
}

const refuseTaken = (error: unknown): never => {
  if (!isUniqueViolation(error)) throw error
  throw conflict('title', 'is the name of another view of this page already; choose another')
}

const callerOf = ({ operatorId, operatorRole }: { operatorId: number; operatorRole: Role }) => ({
  operatorId,
  isOwner: operatorRole === 'owner',
})

export const savedViewHandlers: Handlers<typeof savedViewRows> = {
  listSavedViews: async ({ db, operatorId, operatorRole, query }) =>
    wholeOrPage(await listViews(db, operatorId, pagesOf(operatorRole)), query),

  createSavedView: ({ body, operatorId, operatorRole, now }) => {
    if (!pagesOf(operatorRole).includes(body.page)) throw badRequest('page', 'is no page that you may see')
    return async (tx) => {
      if ((await countViews(tx, operatorId)) >= mostViews) {
        throw conflict('', `you have ${mostViews} views already; delete one first`)
      }
      const { page, title, query, is_shared = false } = body
      const view = { operator_id: operatorId, page, title, query, is_shared, created_at: now }
      const row = await insertView(tx, view).catch(refuseTaken)
      return audited(row, { id: row.id, after: row })
    }
  },

  changeSavedView: (call) => {
    const { version, ...change } = call.body
    return async (tx) => {
      const before = (await lockView(tx, callerOf(call), call.params.id)) ?? notThere()
      requireVersion(version, before)
      const after = await updateView(tx, before, change).catch(refuseTaken)
      return audited(after, { before, after })
    }
  },

  deleteSavedView: (call) => async (tx) => {
    const before = (await lockView(tx, callerOf(call), call.params.id)) ?? notThere()
    await deleteView(tx, before.id)
    return audited(true, { before, after: null })
  },
}
