import type { session } from '@sallyport/contract/customer/session'
import type { Handlers } from '../../core/call.ts'
import { completeOnboarding } from './onboarding-queries.ts'

export const onboardingHandlers: Pick<Handlers<typeof session>, 'finishOnboarding'> = {
  finishOnboarding: async ({ db, userId }) => {
    await completeOnboarding(db, userId)
    return true
  },
}
