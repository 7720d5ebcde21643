import { ApiError } from '@sallyport/contract/errors'
import type { operatorPaidOptions } from '@sallyport/contract/operator/paid-options'
import type { Handlers } from '../../../core/call.ts'
import { requireOption } from '../../../core/options/owned.ts'
import { listSubscriptions, setDisabled, startTrafficAnew } from '../../../core/options/subscriptions.ts'
import { inTransaction } from '../../../db/client.ts'
import { audit, userExists } from '../common/queries.ts'

/** Customers' subscriptions to options. */
export const optionSubscriptionHandlers: Pick<
  Handlers<typeof operatorPaidOptions>,
  'listUserOptions' | 'changeUserOption'
> = {
  listUserOptions: async ({ db, params, now }) => {
    if (!(await userExists(db, params.id))) throw new ApiError('NOT_FOUND')
    return listSubscriptions(db, now, params.id)
  },

  changeUserOption: (call) => {
    const { operatorId, params, body, now } = call
    return inTransaction(call.db, async (tx) => {
      const term = await requireOption(tx, params.id, params.option_id)
      if (body.reset_traffic) await startTrafficAnew(tx, call, term)
      if (body.is_disabled !== undefined) await setDisabled(tx, call, term, body.is_disabled)
      await audit(tx, {
        operatorId,
        action: 'option.subscription',
        subject: `user:${params.id}`,
        details: { ...body, option_id: params.option_id },
        now,
      })
      const [shown] = await listSubscriptions(tx, now, params.id, params.option_id)
      return shown as NonNullable<typeof shown>
    })
  },
}
