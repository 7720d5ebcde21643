import type { configs } from '@sallyport/contract/customer/configs'
import { ApiError, type Problem } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import { type Protocol, switchNames } from '@sallyport/contract/shapes'
import { switchProblems } from '@sallyport/domain/vpn/switch-rules'
import type { Payment } from '../../core/sales/checkout.ts'
import { paymentOf, paymentProblem } from '../../core/sales/payment-choice.ts'
import type { ConfigPurchase } from './product.ts'

type Body = BodyOf<typeof configs.buyConfig>

export interface Purchase {
  readonly payment: Payment
  readonly asKey: boolean
  /** Nothing to say for a key: where and how is chosen by whoever uses it. */
  readonly purchase: ConfigPurchase | Record<string, never>
}

const missingFields = (body: Body): Problem[] => {
  const needed = ['location_id', 'protocol'] as const
  return needed.filter((name) => body[name] === undefined).map((path) => ({ path, problem: 'is required' }))
}

/** Everything about a purchase that can be refused without looking anywhere. */
export const readPurchase = (body: Body): Purchase => {
  const { location_id: locationId, protocol, as_key: asKey = false } = body
  const problem = paymentProblem(body)
  const problems = [...(asKey ? [] : missingFields(body)), ...(problem ? [problem] : [])]
  if (protocol) problems.push(...switchProblems({ protocol, locationId, options: body }))
  if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
  const payment = paymentOf(body)
  if (asKey) return { payment, asKey, purchase: {} }
  const purchase = {
    locationId: locationId as number,
    protocol: protocol as Protocol,
    ...(body.server_id !== undefined && { serverId: body.server_id }),
    options: switchNames.filter((name) => body[name]),
    enableAutoRenewal: body.enable_auto_renewal ?? false,
  }
  return { payment, asKey, purchase }
}
