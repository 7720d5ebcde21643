import type { auth } from '@sallyport/contract/customer/auth'
import type { session } from '@sallyport/contract/customer/session'
import type { Handlers } from '../../core/call.ts'
import { apiKeyHandlers } from './api-keys/api-keys.ts'
import { deletionHandlers } from './deletion.ts'
import { emailHandlers } from './email/email.ts'
import { exportHandlers } from './export/export.ts'
import { identityHandlers } from './identities.ts'
import { methodHandlers } from './methods.ts'
import { oauthHandlers } from './oauth/oauth.ts'
import { onboardingHandlers } from './onboarding.ts'
import { ownCodeHandlers, ownCodeSessionHandlers } from './own-codes/own-codes.ts'
import { passkeySignInHandlers } from './passkeys/passkey-sign-in.ts'
import { passkeyHandlers } from './passkeys/passkeys.ts'
import { renewalHandlers } from './renewal.ts'
import { sessionListHandlers } from './sessions/session-list.ts'
import { sessionHandlers } from './sessions/sessions.ts'
import { subscriptionHandlers } from './subscription/subscription.ts'
import { telegramHandlers } from './telegram/telegram.ts'
import { transferHandlers } from './transfer.ts'

/** Signing in, for those who have no session yet. */
export const authTableHandlers: Handlers<typeof auth> = {
  ...methodHandlers,
  ...emailHandlers,
  ...subscriptionHandlers,
  ...ownCodeHandlers,
  ...telegramHandlers,
  ...oauthHandlers,
  ...passkeySignInHandlers,
  ...sessionHandlers,
}

/** What only a session may do to its account. */
export const sessionTableHandlers: Handlers<typeof session> = {
  ...apiKeyHandlers,
  ...sessionListHandlers,
  ...ownCodeSessionHandlers,
  ...onboardingHandlers,
  ...passkeyHandlers,
  ...identityHandlers,
  ...transferHandlers,
  ...exportHandlers,
  ...renewalHandlers,
  ...deletionHandlers,
}
