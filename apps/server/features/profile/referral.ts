import { ApiError } from '@sallyport/contract/errors'
import type { profile } from '@sallyport/contract/profile'
import type { Handlers } from '../../core/call.ts'

const unfinished = (): never => {
  throw new ApiError('UNAVAILABLE')
}

export const referralHandlers: Pick<
  Handlers<typeof profile>,
  'listReferralRecords' | 'listSbpBanks' | 'withdrawBySbp' | 'withdrawToCard'
> = {
  listReferralRecords: unfinished,
  listSbpBanks: unfinished,
  withdrawBySbp: unfinished,
  withdrawToCard: unfinished,
}
