import type { auth } from '@sallyport/contract/customer/auth'
import { relyingPartyOf } from '@sallyport/domain/identity/relying-party'
import { botIdIn } from '@sallyport/domain/identity/telegram-data'
import type { Handlers } from '../../core/call.ts'

export const methodHandlers: Pick<Handlers<typeof auth>, 'listSignInMethods'> = {
  listSignInMethods: async ({ telegram, identityProviders, publicUrl }) => ({
    email: true,
    passkey: relyingPartyOf(publicUrl()) !== undefined,
    telegram_bot: telegram?.botName ?? null,
    telegram_bot_id: telegram ? botIdIn(telegram.botToken) : null,
    oauth: [...identityProviders.values()].map(({ name, title }) => ({ provider: name, title })),
  }),
}
