import { ApiError } from '@sallyport/contract/errors'
import type { operatorOffice } from '@sallyport/contract/operator-office'
import type { Handlers } from '../../core/call.ts'

const unfinished = (): never => {
  throw new ApiError('UNAVAILABLE')
}

export const customerHandlers: Pick<
  Handlers<typeof operatorOffice>,
  'searchUsers' | 'adjustBalance' | 'blockUser' | 'listPricingRules' | 'deletePricingRule'
> = {
  searchUsers: unfinished,
  adjustBalance: unfinished,
  blockUser: unfinished,
  listPricingRules: unfinished,
  deletePricingRule: unfinished,
}
