import type { paidOptions } from '@sallyport/contract/customer/paid-options/paid-options'
import { ApiError } from '@sallyport/contract/errors'
import type { Handlers } from '../../core/call.ts'
import { findOwn, ownerOf } from '../../core/options/option-ownership.ts'
import { requireTariffDays } from '../../core/terms/auto-renewal.ts'
import { setAutoRenewal } from '../../core/terms/terms.ts'
import { changeTitle, showStats } from '../../core/vpn/access/reads.ts'
import type { Db } from '../../db/client.ts'
import { addedHandlers } from './added-configs.ts'
import { deviceHandlers } from './devices.ts'
import { limitHandlers } from './limits.ts'
import { soldAs } from './product.ts'
import { findAtIndex } from './queries.ts'
import { shopHandlers } from './shop.ts'

interface Indexed {
  readonly id: number
  readonly index: number
}

const requireAtIndex = async (db: Db, userId: number, { id, index }: Indexed): Promise<number> => {
  const access = await findAtIndex(db, { userId, optionId: id, index })
  if (access === undefined) throw new ApiError('NOT_FOUND')
  return access
}

const setIndexTitle = async (db: Db, userId: number, at: Indexed, title: string | null) =>
  changeTitle(db, ownerOf(userId, at.id), await requireAtIndex(db, userId, at), title)

/** The specification's part "Paid options". */
export const paidOptionHandlers: Handlers<typeof paidOptions> = {
  ...shopHandlers,
  ...deviceHandlers,
  ...limitHandlers,
  ...addedHandlers,

  changeIndexTitle: ({ db, userId, params, body }) => setIndexTitle(db, userId, params, body.title),
  deleteIndexTitle: ({ db, userId, params }) => setIndexTitle(db, userId, params, null),
  showIndexStats: async ({ db, userId, params, now }) =>
    showStats(db, ownerOf(userId, params.id), await requireAtIndex(db, userId, params), now),

  switchOptionAutoRenewal: async ({ db, userId, params, body }) => {
    const { item_id: itemId } = await findOwn(db, userId, params.id)
    const own = soldAs(params.id)
    const days = body.enabled ? await requireTariffDays(db, { ...own, itemId }, body.days) : null
    if (!(await setAutoRenewal(db, userId, own, days))) throw new ApiError('NOT_FOUND')
    return { auto_renewal: body.enabled, auto_renewal_days: days }
  },
}
