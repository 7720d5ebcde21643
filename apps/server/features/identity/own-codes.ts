import type { auth } from '@sallyport/contract/auth'
import { ApiError } from '@sallyport/contract/errors'
import type { session } from '@sallyport/contract/session'
import type { Handlers } from '../../core/call.ts'

const notYet = async (): Promise<never> => {
  throw new ApiError('UNAVAILABLE')
}

export const ownCodeHandlers: Pick<Handlers<typeof auth>, 'signInWithCode' | 'signInWithOtp'> = {
  signInWithCode: notYet,
  signInWithOtp: notYet,
}

export const ownCodeSessionHandlers: Pick<Handlers<typeof session>, 'createOtp' | 'createSignInCode'> = {
  createOtp: notYet,
  createSignInCode: notYet,
}
