import type { delivery } from '@sallyport/contract/customer/delivery'
import type { Handlers } from '../../core/call.ts'
import { appsOf } from './cabinet/offered-apps.ts'
import { stateByKey } from './cabinet/subscription-state.ts'
import { oneTimeLinkHandlers } from './once/one-time-links.ts'

export const deliveryHandlers: Handlers<typeof delivery> = {
  showSubscriptionState: (call) => stateByKey(call, call.body.subscription_key),
  listApps: ({ db, userId, query, now }) => appsOf(db, userId, query.platform, now),
  ...oneTimeLinkHandlers,
}
