import { ApiError } from '@sallyport/contract/errors'
import { signInFailed } from '../../../core/accounts/sign-in.ts'

/** One answer for wrong, old, used and unknown: nothing is learnt from it. */
export const wrongCode = (path: string): ApiError =>
  signInFailed(path, 'is wrong, used or too old; ask for a new one')

export const isWrongCode = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'UNAUTHORIZED'
