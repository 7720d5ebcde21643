import { ApiError } from '@sallyport/contract/errors'
import type { session } from '@sallyport/contract/session'
import type { Handlers } from '../../core/call.ts'

const notYet = async (): Promise<never> => {
  throw new ApiError('UNAVAILABLE')
}

export const passkeyHandlers: Pick<
  Handlers<typeof session>,
  'listPasskeys' | 'startPasskey' | 'verifyPasskey' | 'deletePasskey'
> = {
  listPasskeys: notYet,
  startPasskey: notYet,
  verifyPasskey: notYet,
  deletePasskey: notYet,
}
