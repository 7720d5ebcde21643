import type { configs } from '@sallyport/contract/configs'
import { ApiError, badRequest, type Problem } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import { type OptionName, optionNames, type Protocol } from '@sallyport/contract/shapes'
import { optionProblems } from '@sallyport/domain/option-rules'

type Body = BodyOf<typeof configs.buyConfig>

export interface Purchase {
  readonly locationId: number
  readonly protocol: Protocol
  readonly serverId: number | undefined
  readonly options: readonly OptionName[]
  readonly paymentMethodId: number
  readonly tariffId: number
  readonly enableAutoRenewal: boolean
}

const missingFields = (body: Body): Problem[] => {
  const needed = ['location_id', 'protocol'] as const
  return needed.filter((name) => body[name] === undefined).map((path) => ({ path, problem: 'is required' }))
}

const paymentProblem = (body: Body): Problem | undefined => {
  const namesPayment = body.payment_method_id !== undefined || body.tariff_id !== undefined
  if (body.promocode !== undefined) {
    return namesPayment
      ? {
          path: 'promocode',
          problem: 'cannot be combined with payment_method_id or tariff_id; give one or the other',
        }
      : undefined
  }
  if (body.payment_method_id === undefined) {
    return { path: 'payment_method_id', problem: 'is required with tariff_id, unless a promocode is given' }
  }
  return body.tariff_id === undefined
    ? { path: 'tariff_id', problem: 'is required with payment_method_id' }
    : undefined
}

/** Everything about a purchase that can be refused without looking anywhere. */
export const readPurchase = (body: Body): Purchase => {
  const { location_id: locationId, protocol } = body
  const payment = paymentProblem(body)
  const problems = [...(body.as_key ? [] : missingFields(body)), ...(payment ? [payment] : [])]
  if (protocol) problems.push(...optionProblems({ protocol, locationId, options: body }))
  if (problems.length > 0) throw new ApiError('BAD_REQUEST', problems)
  if (body.as_key) throw badRequest('as_key', 'activation keys are not on sale yet; buy without as_key')
  if (body.promocode !== undefined) throw new ApiError('PROMOCODE_INVALID')
  return {
    locationId: locationId as number,
    protocol: protocol as Protocol,
    serverId: body.server_id,
    options: optionNames.filter((name) => body[name]),
    paymentMethodId: body.payment_method_id as number,
    tariffId: body.tariff_id as number,
    enableAutoRenewal: body.enable_auto_renewal ?? false,
  }
}
