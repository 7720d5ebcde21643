import type { session } from '@sallyport/contract/customer/session'
import { ApiError } from '@sallyport/contract/errors'
import { insertApiKey } from '../../../core/accounts/users.ts'
import type { Handlers } from '../../../core/call.ts'
import { inTransaction } from '../../../db/client.ts'
import { countApiKeysLocked, deleteApiKey, listApiKeys } from './queries.ts'

const maxApiKeys = 5

export const apiKeyHandlers: Pick<
  Handlers<typeof session>,
  'listApiKeys' | 'createApiKey' | 'revokeApiKey'
> = {
  listApiKeys: ({ db, userId }) => listApiKeys(db, userId),

  createApiKey: ({ db, vault, userId, body, now }) =>
    inTransaction(db, async (tx) => {
      if ((await countApiKeysLocked(tx, userId)) >= maxApiKeys) throw new ApiError('API_KEY_LIMIT')
      const title = body.title ?? null
      const { id, apiKey, prefix } = await insertApiKey(tx, vault, { userId, title, now })
      return { id, title, prefix, api_key: apiKey, created_at: now }
    }),

  revokeApiKey: async ({ db, bus, userId, params }) => {
    const topic = await inTransaction(db, async (tx) => {
      const key = await deleteApiKey(tx, userId, params.id)
      if (!key) throw new ApiError('NOT_FOUND')
      await bus.publish(tx, `auth:k:${key.prefix}`)
      return `auth:k:${key.prefix}`
    })
    bus.deliver(topic)
    return true
  },
}
