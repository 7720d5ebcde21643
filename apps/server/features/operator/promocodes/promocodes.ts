import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { operatorMoney } from '@sallyport/contract/operator/money'
import { maskPromocode } from '@sallyport/domain/money/promocode'
import type { Handlers } from '../../../core/call.ts'
import { issuePromocodes, openPromocode } from '../../../core/sales/promocodes.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { audit } from '../common/queries.ts'
import { findPromocode, listPromocodes, revokeUnused } from './queries.ts'

const usualLimit = 100

/** Why a key could not be revoked. */
const refusal = async (tx: Db, id: number): Promise<ApiError> => {
  const row = await findPromocode(tx, id)
  if (!row) return new ApiError('NOT_FOUND')
  return row.used_at !== null
    ? conflict('id', 'the key was used; take back what it granted instead')
    : conflict('id', 'the key is revoked already; nobody can use it')
}

export const promocodeHandlers: Pick<
  Handlers<typeof operatorMoney>,
  'issuePromocodes' | 'listIssuedPromocodes' | 'revokePromocode'
> = {
  issuePromocodes: ({ db, vault, operatorId, body, now }) => {
    const { product_type: productType, days, count, expires_at: expiresAt = null } = body
    if (expiresAt !== null && expiresAt <= now) {
      throw badRequest('expires_at', 'must be in the future; leave it out for keys that never expire')
    }
    return inTransaction(db, async (tx) => {
      const issued = await issuePromocodes(tx, vault, {
        productType,
        days,
        count,
        expiresAt,
        operatorId,
        now,
      })
      const ids = issued.map(({ id }) => id)
      const details = { product_type: productType, days, count, expires_at: expiresAt, ids }
      await audit(tx, { operatorId, action: 'issuePromocodes', subject: 'promocodes', details, now })
      return { codes: issued.map(({ code }) => code) }
    })
  },

  listIssuedPromocodes: async ({ db, vault, query, now }) => {
    const { limit = usualLimit, before, product_type: productType, is_active: isActive } = query
    const rows = await listPromocodes(db, { limit, before, productType, isActive, now })
    return rows.map(({ code_hash, code_sealed, ...row }) => ({
      ...row,
      code: maskPromocode(openPromocode(vault, { code_hash, code_sealed })),
    }))
  },

  revokePromocode: ({ db, operatorId, params, now }) =>
    inTransaction(db, async (tx) => {
      const details = await revokeUnused(tx, params.id, now)
      if (!details) throw await refusal(tx, params.id)
      const subject = `promocode:${params.id}`
      await audit(tx, { operatorId, action: 'revokePromocode', subject, details, now })
      return true
    }),
}
