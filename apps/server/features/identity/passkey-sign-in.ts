import type { auth } from '@sallyport/contract/auth'
import { ApiError } from '@sallyport/contract/errors'
import type { Handlers } from '../../core/call.ts'

const notYet = async (): Promise<never> => {
  throw new ApiError('UNAVAILABLE')
}

export const passkeySignInHandlers: Pick<
  Handlers<typeof auth>,
  'startPasskeySignIn' | 'verifyPasskeySignIn'
> = {
  startPasskeySignIn: notYet,
  verifyPasskeySignIn: notYet,
}
