import { ApiError } from '@sallyport/contract/errors'
import type { operatorPaidOptions } from '@sallyport/contract/operator/paid-options'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { requireOption } from '../../../core/options/option-ownership.ts'
import { listSubscriptions, setDisabled, startTrafficAnew } from '../../../core/options/option-terms.ts'
import type { Db } from '../../../db/client.ts'
import { wholeOrPage } from '../common/pages.ts'
import { userExists } from '../common/queries.ts'
import { requireVersion } from '../common/versions.ts'

/** Customers' subscriptions to options. */
export const optionSubscriptionHandlers: Pick<
  Handlers<typeof operatorPaidOptions>,
  'listUserOptions' | 'changeUserOption'
> = {
  listUserOptions: async ({ db, params, query, now }) => {
    if (!(await userExists(db, params.id))) throw new ApiError('NOT_FOUND')
    return wholeOrPage(await listSubscriptions(db, now, params.id), query)
  },

  changeUserOption: (call) => {
    const { params, now } = call
    const { version, ...body } = call.body
    const read = async (tx: Db) => {
      const [shown] = await listSubscriptions(tx, now, params.id, params.option_id)
      return shown as NonNullable<typeof shown>
    }
    return async (tx) => {
      const term = await requireOption(tx, params.id, params.option_id)
      const before = await read(tx)
      requireVersion(version, before)
      if (body.reset_traffic) await startTrafficAnew(tx, call, term)
      if (body.is_disabled !== undefined) await setDisabled(tx, call, term, body.is_disabled)
      const after = await read(tx)
      return audited(after, { before, after, details: { ...body, option_id: params.option_id } })
    }
  },
}
