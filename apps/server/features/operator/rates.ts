import { ApiError } from '@sallyport/contract/errors'
import type { operatorMoney } from '@sallyport/contract/operator-money'
import type { Handlers } from '../../core/call.ts'

const unfinished = (): never => {
  throw new ApiError('UNAVAILABLE')
}

export const rateHandlers: Pick<Handlers<typeof operatorMoney>, 'listRates' | 'setRate'> = {
  listRates: unfinished,
  setRate: unfinished,
}
