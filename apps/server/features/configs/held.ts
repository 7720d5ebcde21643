import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { Db } from '../../db/client.ts'
import { type HeldConfig, holdConfig } from './queries.ts'

/** A configuration of this customer that is being served; what has ended can be renewed but not changed. */
export const holdLive = async (
  tx: Db,
  userId: number,
  id: number,
  now: number,
  path = 'config_id',
): Promise<HeldConfig> => {
  const config = await holdConfig(tx, userId, id)
  if (!config) throw new ApiError('NOT_FOUND')
  if (config.state !== 'active' || config.expires_at <= now) {
    throw badRequest(path, 'has ended; renew it first')
  }
  return config
}
