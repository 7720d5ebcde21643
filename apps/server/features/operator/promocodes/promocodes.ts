import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { operatorMoney } from '@sallyport/contract/operator/money'
import { maskPromocode } from '@sallyport/domain/money/promocode'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { issuePromocodes, openPromocode } from '../../../core/sales/promocodes.ts'
import type { Db } from '../../../db/client.ts'
import { usualPage } from '../common/search.ts'
import { findPromocode, listPromocodes, revokeUnused } from './queries.ts'

/** Why a key could not be revoked. */
const refusal = async (tx: Db, id: number): Promise<ApiError> => {
  const row = await findPromocode(tx, id)
  // One that was revoked before is gone.
  if (!row || row.used_at === null) return new ApiError('NOT_FOUND')
  return conflict('id', 'the key was used; take back what it granted instead')
}

export const promocodeHandlers: Pick<
  Handlers<typeof operatorMoney>,
  'issuePromocodes' | 'listIssuedPromocodes' | 'revokePromocode'
> = {
  issuePromocodes: ({ vault, operatorId, body, now }) => {
    const { product_type: product, days, count, expires_at: expiresAt = null } = body
    if (expiresAt !== null && expiresAt <= now) {
      throw badRequest('expires_at', 'must be in the future; leave it out for keys that never expire')
    }
    return async (tx) => {
      const issued = await issuePromocodes(tx, vault, {
        product,
        days,
        count,
        expiresAt,
        operatorId,
        now,
      })
      const ids = issued.map(({ id }) => id)
      const after = { product_type: product, days, count, expires_at: expiresAt, ids }
      return audited({ codes: issued.map(({ code }) => code) }, { after })
    }
  },

  listIssuedPromocodes: async ({ db, vault, query, now }) => {
    const { limit = usualPage, before, product_type: product, is_active: isActive } = query
    const rows = await listPromocodes(db, { limit, before, product, isActive, now })
    return rows.map(({ code_hash, code_sealed, ...row }) => ({
      ...row,
      code: maskPromocode(openPromocode(vault, { code_hash, code_sealed })),
    }))
  },

  revokePromocode:
    ({ params, now }) =>
    async (tx) => {
      const before = await revokeUnused(tx, params.id, now)
      if (!before) throw await refusal(tx, params.id)
      return audited(true, { before, after: null })
    },
}
