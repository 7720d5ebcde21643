import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { operatorDelivery } from '@sallyport/contract/operator/delivery'
import { routingProblems } from '@sallyport/domain/delivery/happ-routing'
import { supportUrlProblem } from '@sallyport/domain/delivery/support-url'
import type { Handlers } from '../../../core/call.ts'
import {
  type DeliverySettings,
  holdDeliverySettings,
  readDeliverySettings,
  writeDeliverySettings,
} from '../../../core/subscriptions/delivery-settings.ts'
import { inTransaction } from '../../../db/client.ts'
import { audit } from '../common/queries.ts'

/** What apps are told besides servers. */

const check = ({ support_url: url, happ_routing: routing }: Partial<DeliverySettings>): void => {
  const problem = url ? supportUrlProblem(url) : null
  if (problem !== null) throw badRequest('support_url', problem)
  const problems = routing ? routingProblems(routing) : []
  if (problems.length === 0) return
  throw new ApiError(
    'BAD_REQUEST',
    problems.map(({ path, problem }) => ({
      path: path === '' ? 'happ_routing' : `happ_routing.${path}`,
      problem,
    })),
  )
}

export const deliverySettingHandlers: Pick<
  Handlers<typeof operatorDelivery>,
  'showDeliverySettings' | 'changeDeliverySettings'
> = {
  showDeliverySettings: ({ db }) => readDeliverySettings(db),

  changeDeliverySettings: ({ db, operatorId, body, now }) => {
    check(body)
    return inTransaction(db, async (tx) => {
      const before = await holdDeliverySettings(tx)
      await writeDeliverySettings(tx, body)
      const after = await readDeliverySettings(tx)
      const details = { before, after }
      await audit(tx, { operatorId, action: 'changeDeliverySettings', subject: 'delivery', details, now })
      return after
    })
  },
}
