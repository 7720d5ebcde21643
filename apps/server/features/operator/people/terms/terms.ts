import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { termRows } from '@sallyport/contract/operator/people/terms'
import { daysText } from '@sallyport/domain/text/counted'
import type { Handlers } from '../../../../core/call.ts'
import { audited } from '../../../../core/kernel/audit.ts'
import { changeDays, mostBySupport } from '../../../../core/terms/term-days.ts'
import { termProductOf } from '../../../../core/terms/term-product.ts'
import { lockTermById, readTerm, type Term } from '../../../../core/terms/terms.ts'

const shown = ({ state, expires_at, auto_renewal }: Term) => ({ state, expires_at, auto_renewal })

const refuseSupport = (days: number): void => {
  if (days > 0 && days <= mostBySupport) return
  const problem = `support gives up to ${daysText(mostBySupport, 'en')} and takes none; ask an owner`
  throw new ApiError('FORBIDDEN', [{ path: 'days', problem }])
}

export const termHandlers: Handlers<typeof termRows> = {
  changeTermDays: (call) => {
    const { params, body, products, operatorId, operatorRole: role } = call
    const { days } = body
    if (days === 0) throw badRequest('days', 'must not be 0: above it they are given, below it taken')
    if (role === 'support') refuseSupport(days)
    return async (tx) => {
      const term = await lockTermById(tx, params.id)
      if (!term) throw new ApiError('NOT_FOUND')
      const product = termProductOf(products, term.product)
      const expiresAt = await changeDays(tx, call, product, term, { days, operatorId, role })
      const after = await readTerm(tx, params.id)
      return audited({ expires_at: expiresAt }, { before: shown(term), after: shown(after) })
    }
  },
}
