import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { operatorDelivery } from '@sallyport/contract/operator/delivery'
import { routingProblems } from '@sallyport/domain/delivery/happ-routing'
import { supportUrlProblem } from '@sallyport/domain/delivery/support-url'
import type { Handlers } from '../../../core/call.ts'
import {
  type DeliverySettings,
  lockDeliverySettings,
  readDeliverySettings,
  writeDeliverySettings,
} from '../../../core/delivery/delivery-settings.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { requireVersion } from '../common/versions.ts'

/** What apps are told besides servers. */

const check = (given: Partial<DeliverySettings>): void => {
  for (const name of ['support_url', 'account_url'] as const) {
    const url = given[name]
    const problem = url ? supportUrlProblem(url) : null
    if (problem !== null) throw badRequest(name, problem)
  }
  const { happ_routing: routing } = given
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

  changeDeliverySettings: ({ body: { version, ...changes } }) => {
    check(changes)
    return async (tx) => {
      const before = await lockDeliverySettings(tx)
      requireVersion(version, before)
      await writeDeliverySettings(tx, changes)
      const after = await readDeliverySettings(tx)
      return audited(after, { before, after })
    }
  },
}
