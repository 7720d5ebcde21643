import type { session } from '@sallyport/contract/customer/session'
import { ApiError } from '@sallyport/contract/errors'
import { recordEvent } from '../../core/accounts/account-events.ts'
import { lockWithSession } from '../../core/accounts/users.ts'
import type { Handlers, Services } from '../../core/call.ts'
import { inTransaction } from '../../db/client.ts'
import { deleteIdentity, disconnectMessenger, listIdentities } from './common/identity-queries.ts'
import { keepWayIn } from './common/last-way.ts'

/** Accounts at Telegram and at identity providers that open an account here. */

const titleOf = ({ identityProviders }: Services, provider: string): string =>
  provider === 'telegram' ? 'Telegram' : (identityProviders.get(provider)?.title ?? provider)

export const identityHandlers: Pick<Handlers<typeof session>, 'listIdentities' | 'deleteIdentity'> = {
  listIdentities: async (call) => {
    const rows = await listIdentities(call.db, call.userId)
    return rows.map((row) => ({ ...row, title: titleOf(call, row.provider) }))
  },

  deleteIdentity: (call) =>
    inTransaction(call.db, async (tx): Promise<true> => {
      const { userId, sessionId, params, now } = call
      await lockWithSession(tx, userId, sessionId)
      const provider = await deleteIdentity(tx, userId, params.id)
      if (provider === undefined) throw new ApiError('NOT_FOUND')
      await keepWayIn(tx, call)
      if (provider === 'telegram') await disconnectMessenger(tx, userId)
      await recordEvent(tx, { userId, kind: 'identity_unlinked', details: { method: provider }, now })
      return true
    }),
}
