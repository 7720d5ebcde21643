import type { delivery } from '@sallyport/contract/customer/delivery'
import type { Handlers } from '../../core/call.ts'
import { appsOf } from './cabinet/offered-apps.ts'

export const deliveryHandlers: Handlers<typeof delivery> = {
  listApps: ({ db, userId, query, now }) => appsOf(db, userId, query.platform, now),
}
