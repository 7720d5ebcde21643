import type { session } from '@sallyport/contract/customer/session'
import { recordEvent } from '../../core/accounts/account-events.ts'
import { lockWithSession } from '../../core/accounts/users.ts'
import type { Handlers } from '../../core/call.ts'
import { renewEverything } from '../../core/vpn/operations/renew-credentials.ts'
import { inTransaction } from '../../db/client.ts'

export const renewalHandlers: Pick<Handlers<typeof session>, 'resetCredentials'> = {
  resetCredentials: ({ db, vault, bus, userId, sessionId, now }) =>
    inTransaction(db, async (tx) => {
      await lockWithSession(tx, userId, sessionId)
      const renewed = await renewEverything(tx, { vault, bus }, userId)
      await recordEvent(tx, { userId, kind: 'credentials_renewed', details: { renewed }, now })
      return renewed
    }),
}
