import type { session } from '@sallyport/contract/customer/session'
import type { Handlers } from '../../core/call.ts'
import { deleteAccount } from '../../core/closing/deletion.ts'
import { inTransaction } from '../../db/client.ts'
import { signedOut } from './common/session-origin.ts'

export const deletionHandlers: Pick<Handlers<typeof session>, 'deleteAccount'> = {
  deleteAccount: async (call) => {
    const { db, bus, userId } = call
    await inTransaction(db, (tx) => deleteAccount(tx, call, userId))
    bus.deliver(`auth:u:${userId}`)
    return signedOut(call, true)
  },
}
