import { ApiError } from '@sallyport/contract/errors'
import type { session } from '@sallyport/contract/session'
import type { Handlers } from '../../core/call.ts'

const notYet = async (): Promise<never> => {
  throw new ApiError('UNAVAILABLE')
}

export const deletionHandlers: Pick<Handlers<typeof session>, 'deleteAccount'> = {
  deleteAccount: notYet,
}
