import { ApiError } from '@sallyport/contract/errors'
import type { session } from '@sallyport/contract/session'
import type { Handlers } from '../../core/call.ts'

const notYet = async (): Promise<never> => {
  throw new ApiError('UNAVAILABLE')
}

export const transferHandlers: Pick<Handlers<typeof session>, 'createTransferKey' | 'activateTransferKey'> = {
  createTransferKey: notYet,
  activateTransferKey: notYet,
}
