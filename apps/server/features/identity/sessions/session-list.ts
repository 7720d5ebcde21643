import type { session } from '@sallyport/contract/customer/session'
import { mostSessions } from '@sallyport/contract/customer/sessions'
import { ApiError } from '@sallyport/contract/errors'
import { endSession, lastUseOf, listSessions } from '../../../core/accounts/sessions.ts'
import type { Handlers } from '../../../core/call.ts'
import { inTransaction } from '../../../db/client.ts'
import { signedOut } from '../common/session-origin.ts'

export const sessionListHandlers: Pick<Handlers<typeof session>, 'listSessions' | 'endSession'> = {
  listSessions: async ({ db, userId, sessionId, now }) => {
    const sessions = await listSessions(db, { userId, currentId: sessionId, limit: mostSessions, now })
    return sessions.map(({ expires_at: expiresAt, ...shown }) => {
      const isCurrent = shown.id === sessionId
      return { ...shown, last_used_at: isCurrent ? now : lastUseOf(expiresAt), is_current: isCurrent }
    })
  },

  endSession: async (call) => {
    const { db, bus, userId, sessionId, params, now } = call
    const topic = `auth:s:${params.id}`
    await inTransaction(db, async (tx) => {
      if (!(await endSession(tx, userId, params.id, now))) throw new ApiError('NOT_FOUND')
      await bus.publish(tx, topic)
    })
    bus.deliver(topic)
    return params.id === sessionId ? signedOut(call, true) : true
  },
}
