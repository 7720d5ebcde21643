import type { auth } from '@sallyport/contract/auth'
import { ApiError } from '@sallyport/contract/errors'
import type { Handlers } from '../../core/call.ts'

const notYet = async (): Promise<never> => {
  throw new ApiError('UNAVAILABLE')
}

export const methodHandlers: Pick<Handlers<typeof auth>, 'listSignInMethods'> = {
  listSignInMethods: notYet,
}
