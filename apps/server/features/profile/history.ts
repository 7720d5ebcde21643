import { ApiError } from '@sallyport/contract/errors'
import type { profile } from '@sallyport/contract/profile'
import type { Handlers } from '../../core/call.ts'

const unfinished = (): never => {
  throw new ApiError('UNAVAILABLE')
}

export const historyHandlers: Pick<Handlers<typeof profile>, 'listPayments'> = {
  listPayments: unfinished,
}
