import { ApiError } from '@sallyport/contract/errors'
import type { operatorMoney } from '@sallyport/contract/operator-money'
import type { Handlers } from '../../core/call.ts'

const unfinished = (): never => {
  throw new ApiError('UNAVAILABLE')
}

export const refundHandlers: Pick<Handlers<typeof operatorMoney>, 'refundPayment'> = {
  refundPayment: unfinished,
}
