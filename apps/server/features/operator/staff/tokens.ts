import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import { type Operation, type Role, rolesOf } from '@sallyport/contract/operation'
import { letsIn, type operatorTokenRows } from '@sallyport/contract/operator/staff/tokens'
import { rowsFor } from '@sallyport/contract/tables'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { tellOfAccess } from '../../../core/operators/access-letters.ts'
import { insertOperatorToken } from '../../../core/operators/operators.ts'
import { lockActiveOperator } from '../../../core/operators/sessions.ts'
import { afterCommit } from '../../../db/client.ts'
import { wholeOrPage } from '../common/pages.ts'
import { countTokens, listTokens, operatorExists, revokeToken } from './queries.ts'

/** Tokens of operators. All of them are kept in memory, so each operator has few. */

const mostTokens = 50
const daySeconds = 86_400

interface Caller {
  readonly operatorId: number
  readonly operatorRole: Role
}

/** Somebody else's are there for owners only. */
const requireOwnOrOwner = ({ operatorId, operatorRole }: Caller, id: number): void => {
  if (operatorRole !== 'owner' && operatorId !== id) throw new ApiError('NOT_FOUND')
}

const checkedOperations = (names: readonly string[] | undefined, role: Role): readonly string[] | null => {
  if (!names) return null
  const rows: Readonly<Record<string, Operation>> = rowsFor('operator')
  for (const [index, name] of names.entries()) {
    const path = `operations.${index}`
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined
    if (row?.auth !== 'operator') throw badRequest(path, 'is no operation of operators')
    if (!rolesOf(row).includes(role)) throw badRequest(path, `is not for the role ${role}`)
    if (letsIn.includes(name)) throw badRequest(path, 'a token for some operations lets nobody in')
  }
  return names
}

export const operatorTokenHandlers: Handlers<typeof operatorTokenRows> = {
  listOperatorTokens: async (call) => {
    const { db, params, query } = call
    requireOwnOrOwner(call, params.id)
    if (!(await operatorExists(db, params.id))) throw new ApiError('NOT_FOUND')
    return wholeOrPage(await listTokens(db, params.id), query)
  },

  createOperatorToken: (call) => {
    const { params, body, now } = call
    requireOwnOrOwner(call, params.id)
    return async (tx) => {
      const target = await lockActiveOperator(tx, params.id)
      if (!target && !(await operatorExists(tx, params.id))) throw new ApiError('NOT_FOUND')
      if (!target) throw conflict('id', 'is switched off; switch them on first')
      const operations = checkedOperations(body.operations, target.role)
      if ((await countTokens(tx, params.id)) >= mostTokens) {
        throw conflict('id', `has ${mostTokens} tokens already; revoke one first`)
      }
      const { title, expires_in_days: days } = body
      const expiresAt = days === undefined ? null : now + days * daySeconds
      const made = { operatorId: params.id, title, operations, expiresAt, now }
      const { id, prefix, token } = await insertOperatorToken(tx, made)
      await tellOfAccess(tx, call, {
        operatorId: params.id,
        by: call.operatorId,
        news: { kind: 'token', title },
      })
      const row = { id, title, prefix, operations: operations && [...operations] }
      const shown = { ...row, created_at: now, expires_at: expiresAt }
      const after = { token_id: id, title, operations, expires_at: expiresAt }
      return audited({ ...shown, token }, { after })
    }
  },

  revokeOperatorToken: (call) => {
    const { bus, params, now } = call
    requireOwnOrOwner(call, params.id)
    return async (tx) => {
      const token = await revokeToken(tx, params.id, params.token_id, now)
      if (!token) throw new ApiError('NOT_FOUND')
      // This instance need not wait for what the database tells all of them.
      afterCommit(() => bus.deliver(`auth:o:${params.id}`))
      return audited(true, { before: { token_id: params.token_id, title: token.title }, after: null })
    }
  },
}
